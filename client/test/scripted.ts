/** Services that answer what a test scripts: for answers that a healthy service does not give. */
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, vi } from 'vitest'

export interface Asked {
  method: string
  path: string
  token: string | undefined
  atMs: number
}

/** The methods of `ServerResponse` that scripts use. */
interface Answering {
  writeHead(status: number, headers?: Record<string, string>): Answering
  write(text: string): unknown
  end(text?: string): unknown
  destroy(): unknown
}

/** Gives one answer. The last script of a service answers all further requests, too. */
export type Script = (response: Answering) => void

const scriptAt = (scripts: Script[], count: number): Script | undefined =>
  scripts[Math.min(count, scripts.length) - 1]

export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Script =>
  (response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, headers).end(text)
  }

export const success = (data: unknown, headers?: Record<string, string>): Script =>
  answer(200, { code: 0, message: 'success', data, trace_id: 'a'.repeat(32) }, headers)

export const failure = (code: number, headers?: Record<string, string>, data: unknown = null): Script =>
  answer(Math.floor(code / 100), { code, message: `error ${code}`, data, trace_id: 'b'.repeat(32) }, headers)

/** Answers a login or a refresh. */
export const pair = success({ access_token: 'a.e30.c', refresh_token: 'r', expires_in: 7200 })

/** Breaks off the connection. */
export const hangUp: Script = (response) => response.destroy()

/** Never answers. */
export const silence: Script = () => undefined

export interface ScriptedServer {
  url: string
  asked: Asked[]
  /** Resolves at the next request, after its script has run. */
  nextRequest: () => Promise<unknown>
}

const running: { close(): void }[] = []

/** For `afterEach`: closes the servers of the test. */
export const closeScripted = (): void => {
  for (const one of running.splice(0)) one.close()
}

export const startScripted = async (...scripts: Script[]): Promise<ScriptedServer> => {
  const asked: Asked[] = []
  const wasAsked = new EventEmitter()
  const server = createServer(({ method = '', url: path = '', headers }, response) => {
    asked.push({ method, path, token: headers.authorization, atMs: Date.now() })
    scriptAt(scripts, asked.length)?.(response)
    wasAsked.emit('asked')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  running.push({
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  })
  const nextRequest = () => once(wasAsked, 'asked')
  return { asked, nextRequest, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Answers inside the process: in faked time, a real connection would arrive at any moment. */
export const scriptedFetch = (...scripts: Script[]) => {
  const asked: Asked[] = []
  const send: typeof fetch = (input, init) =>
    new Promise((resolve, reject) => {
      const { method = 'GET', headers, signal } = init ?? {}
      const token = new Headers(headers).get('authorization') ?? undefined
      asked.push({ method, path: new URL(input as string).pathname, token, atMs: Date.now() })
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      const writer = writable.getWriter()
      const response: Answering = {
        writeHead: (status, answerHeaders) => {
          resolve(new Response(readable, { status, headers: { ...answerHeaders } }))
          return response
        },
        write: (text) => writer.write(new TextEncoder().encode(text)).catch(() => undefined),
        end: (text = '') => {
          response.write(text)
          return writer.close()
        },
        destroy: () => reject(new TypeError('fetch failed')),
      }
      signal?.addEventListener('abort', () => {
        reject(signal.reason as Error)
        writer.abort(signal.reason).catch(() => undefined)
      })
      scriptAt(scripts, asked.length)?.(response)
    })
  return { send, asked }
}

/** Fakes the clock and the timers for one test. Nothing else may run meanwhile: no service, no real `fetch`. */
export const fakeTime = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Compares the milliseconds between requests with their bounds: the service's Retry-After, and at most the jitter more. */
export const expectPauses = (asked: Asked[], bounds: [number, number][]): void => {
  const pauses = asked.slice(1).map(({ atMs }, index) => atMs - (asked[index]?.atMs ?? 0))
  expect(pauses).toHaveLength(bounds.length)
  for (const [index, [least, most]] of bounds.entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(least)
    expect(pauses[index]).toBeLessThanOrEqual(most)
  }
}

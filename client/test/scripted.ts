/** A small server whose answers a test writes down: for what a healthy service does not answer. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  method: string
  path: string
  token: string | undefined
  atMs: number
}

/** One answer; the last one is given for all further requests, too. */
export type Script = (response: ServerResponse, asked: Asked) => void

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

/** Breaks the connection off. */
export const hangUp: Script = (response) => response.destroy()

/** Never answers. */
export const silence: Script = () => undefined

export interface ScriptedServer {
  url: string
  asked: Asked[]
}

const running: { close(): void }[] = []

/** For `afterEach`. */
export const closeScripted = (): void => {
  for (const one of running.splice(0)) one.close()
}

export const startScripted = async (...scripts: Script[]): Promise<ScriptedServer> => {
  const asked: Asked[] = []
  const server = createServer(({ method = '', url: path = '', headers }, response) => {
    const request = { method, path, token: headers.authorization, atMs: Date.now() }
    asked.push(request)
    const script = scripts[Math.min(asked.length, scripts.length) - 1]
    script?.(response, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  running.push({
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  })
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

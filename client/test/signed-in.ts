/** Clients of the real service that are signed in, and what can come between a client and its refresh. */
import { password, type Caller } from '../../server/test/factories.ts'
import { service } from '../../server/test/harness.ts'
import {
  createClient,
  memoryTokens,
  type ApiError,
  type ClientOptions,
  type TokenStorage,
} from '../src/client.ts'
import { success } from './scripted.ts'

export const refreshPath = '/api/v1/auth/refresh'
export const accessTokenMs = 7_200_000

export type Send = typeof fetch

/** What a scripted service answers a login or a refresh. */
export const pair = success({ access_token: 'a.e30.c', refresh_token: 'r', expires_in: 7200 })

/** A client that notes the paths it asks for; `send` sees each request on its way. */
export const signedIn = async (
  who: Pick<Caller, 'email'>,
  { fetch: send = fetch, ...options }: ClientOptions = {},
) => {
  const paths: string[] = []
  const ends: (ApiError | undefined)[] = []
  const client = createClient({
    baseUrl: service.url,
    onSignedOut: (cause) => ends.push(cause),
    fetch: (input, init) => {
      paths.push(new URL(input as string).pathname)
      return send(input, init)
    },
    ...options,
  })
  await client.auth.login({ email: who.email, password })
  paths.length = 0
  return { client, paths, ends, refreshes: () => paths.filter((path) => path === refreshPath).length }
}

/** As all tabs of a browser have it, with the delay of a disk. Each call of `watch` is another tab. */
export const sharedStorage = (): TokenStorage => {
  const held = memoryTokens()
  const listeners = new Set<() => void>()
  return {
    lockName: `test-${Math.random()}`,
    get: async () => structuredClone(await held.get()),
    set: async (tokens) => {
      await held.set(tokens)
      for (const listener of listeners) listener()
    },
    watch: (onChange) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
  }
}

/** Holds the answer of a refresh back until the gate is opened. */
export const gated = () => {
  const [gate, isAsked] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  const send: Send = async (input, init) => {
    const response = await fetch(input, init)
    if (!(input as string).endsWith(refreshPath)) return response
    isAsked.resolve(undefined)
    await gate.promise
    return response
  }
  return { gate, isAsked, send }
}

/** What a call rejects with. */
export const refused = (call: Promise<unknown>): Promise<unknown> => call.catch((err: unknown) => err)

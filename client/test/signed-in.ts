/** Clients that are signed in to the real service, a storage of several tabs, and a gate for refreshes. */
import { password, type Caller } from '../../server/test/factories.ts'
import { service } from '../../server/test/harness.ts'
import {
  createClient,
  memoryTokens,
  type ApiError,
  type Client,
  type ClientOptions,
  type Tokens,
  type TokenStorage,
} from '../src/client.ts'

export const refreshPath = '/api/v1/auth/refresh'
export const accessTokenMs = 7_200_000

export type Send = typeof fetch

/** Signs in a user who has no second factor. */
export const signInAs = async (client: Client, { email }: Pick<Caller, 'email'>): Promise<Tokens> => {
  const result = await client.auth.login({ email, password })
  if (result.needsFactor) throw new Error(`${email} has a second factor`)
  return result
}

/** A client that records the paths of its requests. `send` passes them on. */
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

/** A storage of all tabs of a browser, with the delay of a disk. Each call of `watch` is another tab. */
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

/** Polls for ten times as long as a busy machine has needed. */
export const patiently = { timeout: 10_000 }

/** Delays the answer of a refresh until the gate opens. */
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

/** The error of a call, or its answer. */
export const refused = (call: Promise<unknown>): Promise<unknown> => call.catch((err: unknown) => err)

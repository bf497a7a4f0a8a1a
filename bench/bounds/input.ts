/** The worst of one parser or validator. */
import { request, type Answer, type Call } from '../../lab/client.ts'
import type { Stage } from './stage.ts'

export interface Input {
  /** The input, as in the first column of the table. */
  what: string
  bound: string
  /** The status of the answer: another one would mean that the work was not done. */
  status: number
  send: (stage: Stage, round: number) => Promise<Answer>
  /** Not measured. */
  prepare?: (stage: Stage) => Promise<unknown>
}

export const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

/** A list of JSON of the same part as often as it fits. */
export const filled = (part: unknown, bytes: number): unknown[] =>
  times(Math.floor((bytes - 2) / (JSON.stringify(part).length + 1)), () => part)

/** An object with that many names. */
export const namesOf = (count: number): Record<string, number> =>
  Object.fromEntries(times(count, (at) => [`k${at.toString(36)}`, 0]))

const api = '/api/v1'

/** A request of a stranger. */
export const byStranger =
  (method: string, path: string, call: Call) =>
  ({ url }: Stage): Promise<Answer> =>
    request(url, method, path, call)

export const byRoot =
  (method: string, path: string, body?: unknown) =>
  ({ root }: Stage): Promise<Answer> =>
    root.call(method, path, body, { timeoutMs: 60_000 })

export const byAdmin =
  (method: string, path: string, body?: unknown) =>
  ({ admin }: Stage): Promise<Answer> =>
    admin.call(method, path, body, { timeoutMs: 60_000 })

export const loginPath = `${api}/auth/login`

/** The ids that one request named, as the record of its change may. */
interface Write {
  ids: Set<string>
  at: number
}

/** A record is sealed a second after its change. */
const sealedMs = 15_000

let writes: Write[] = []
const pending = new Set<Promise<unknown>>()

interface Answered {
  data?: { id?: unknown } | null
}

const idsIn = (fields: object): unknown[] =>
  Object.entries(fields)
    .filter(([name]) => name === 'id' || name.endsWith('_id'))
    .map(([, value]: [string, unknown]) => value)

/** A thing is named in the path, by a field of the request, or as the answer's own id. */
const note = async (url: string, { body }: RequestInit, answer: Promise<Response>): Promise<void> => {
  const asked = typeof body === 'string' ? (JSON.parse(body) as object | null) : {}
  const { data } = (await (await answer).clone().json()) as Answered
  const { pathname } = new URL(url, location.origin)
  const named = [...pathname.split('/').map(decodeURIComponent), ...idsIn(asked ?? {}), ...idsIn(data ?? {})]
  writes.push({ ids: new Set(named.map(String)), at: Date.now() })
}

/** Notes a request that may change something. */
export const noteWrite = (url: string, init: RequestInit = {}, answer: Promise<Response>): void => {
  if ((init.method ?? 'GET') === 'GET') return
  const noting: Promise<unknown> = note(url, init, answer)
    .catch(() => undefined)
    .finally(() => pending.delete(noting))
  pending.add(noting)
}

/** Whether this tab made the change of the thing. Each request made one change at most. */
export const takeOwnWrite = async (id: string): Promise<boolean> => {
  await Promise.all(pending)
  writes = writes.filter(({ at }) => Date.now() - at < sealedMs)
  const own = writes.find(({ ids }) => ids.has(id))
  writes = writes.filter((write) => write !== own)
  return own !== undefined
}

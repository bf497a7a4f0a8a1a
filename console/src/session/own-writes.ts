type Fields = Record<string, unknown>

/** A request of this tab with another method than GET. */
interface OwnWrite {
  url: string
  sent: Fields
  at: number
  /** The changes that the stream may still report: one, or one for each user of a request about many. */
  left: number
  /** The JSON of the answer; undefined after a failure. It never rejects. */
  answer: Promise<unknown>
}

/** The most requests that are kept. Bulk work starts fewer within `sealedMs`. */
const keptMax = 1000

const ownWrites: OwnWrite[] = []

/** The fields of a JSON object. A form has none that name a resource. */
const fieldsOf = (body: unknown): Fields =>
  typeof body === 'string' && body.startsWith('{') ? (JSON.parse(body) as Fields) : {}

const changesOf = ({ user_ids: ids }: Fields): number => (Array.isArray(ids) ? ids.length : 1)

export const noteWrite = (url: string, init: RequestInit | undefined, answer: Promise<Response>): void => {
  if (init?.method === 'GET') return
  const read = answer.then((response): Promise<unknown> => response.clone().json())
  const sent = fieldsOf(init?.body)
  const answered = read.catch(() => undefined)
  ownWrites.push({ url, sent, at: Date.now(), left: changesOf(sent), answer: answered })
  if (ownWrites.length > keptMax) ownWrites.shift()
}

/** The stream reports a change when its audit record is sealed, normally after one second. */
const sealedMs = 15_000

const idsIn = (fields: unknown): unknown[] =>
  Object.entries(fields ?? {})
    .filter(([name]) => name === 'id' || /_ids?$/.test(name))
    .flatMap(([, value]: [string, unknown]) => value)

/**
 * Whether a request changed the resource. The request names it in its path, in a field of its body, or in the answer.
 */
const isAbout = async ({ url, sent, answer }: OwnWrite, id: string): Promise<boolean> => {
  const answered = (await answer) as { data?: unknown } | undefined
  const inPath = new URL(url, location.origin).pathname.split('/').map(decodeURIComponent)
  return [...inPath, ...idsIn(sent), ...idsIn(answered?.data)].some((named) => String(named) === id)
}

/** Whether a request of this tab made a change of the resource. */
export const takeOwnChange = async (id: string): Promise<boolean> => {
  for (const write of ownWrites.filter(({ at }) => Date.now() - at < sealedMs)) {
    if (!(await isAbout(write, id))) continue
    const index = ownWrites.indexOf(write)
    if (index === -1) continue
    write.left -= 1
    if (write.left === 0) ownWrites.splice(index, 1)
    return true
  }
  return false
}

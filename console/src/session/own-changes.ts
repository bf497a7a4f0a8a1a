import { ownWrites, type OwnWrite } from './own-writes.ts'

/** A record is sealed a second after its change. */
const sealedMs = 15_000

const idsIn = (fields: unknown): unknown[] =>
  Object.entries(fields ?? {})
    .filter(([name]) => name === 'id' || name.endsWith('_id'))
    .map(([, value]: [string, unknown]) => value)

/** The thing that a request changes is named in its path, by a field of its body, or as the answer's own id. */
const isAbout = async ({ url, body, answer }: OwnWrite, id: string): Promise<boolean> => {
  const asked: unknown = typeof body === 'string' ? JSON.parse(body) : {}
  const given = (await answer) as { data?: unknown } | undefined
  const inPath = new URL(url, location.origin).pathname.split('/').map(decodeURIComponent)
  return [...inPath, ...idsIn(asked), ...idsIn(given?.data)].some((named) => String(named) === id)
}

/** Whether this tab made the change of the thing. Each request made one change at most. */
export const takeOwnChange = async (id: string): Promise<boolean> => {
  for (const write of ownWrites.filter(({ at }) => Date.now() - at < sealedMs)) {
    if (!(await isAbout(write, id))) continue
    const index = ownWrites.indexOf(write)
    if (index === -1) continue
    ownWrites.splice(index, 1)
    return true
  }
  return false
}

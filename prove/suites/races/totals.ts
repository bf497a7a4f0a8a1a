import { patiently, refuteNothing } from '../../attack.ts'
import { ok, unique, type Answer, type Session } from '../../../lab/client.ts'
import { freshTotal, readAll, totalMax } from '../input/journal.ts'
import { adminAt, only, type Stage } from './stage.ts'

const writers = 8
const pageSize = 50

interface Item {
  id: number
}

const createUser = (by: Session): Promise<Answer> => {
  const username = unique('beside')
  const body = { email: `${username}@example.com`, username, password: 'a proof of Tenantry' }
  return patiently(() => by.call('POST', '/users', body))
}

/** Creates users, and with them audit records, for as long as `work` takes. Returns the result of `work`. */
const besideWrites = async <T>(stage: Stage, work: () => Promise<T>): Promise<T> => {
  let isOver = false
  const over = () => isOver
  const writing = Array.from({ length: writers }, async (_, at) => {
    while (!over()) ok(await createUser(adminAt(stage, at)))
  })
  try {
    return await work()
  } finally {
    isOver = true
    await Promise.all(writing)
  }
}

/** Follows a list from id to id until a page is empty. */
const readOn = async (by: Session, path: string, parameter: string): Promise<number[]> => {
  const ids: number[] = []
  for (;;) {
    const from = ids.length > 0 ? `&${parameter}=${ids.at(-1)}` : ''
    const url = `${path}?page_size=${pageSize}${from}`
    const { items }: { items: Item[] } = ok(await patiently(() => by.call('GET', url)))
    if (items.length === 0) return ids
    ids.push(...items.map(({ id }) => id))
  }
}

const breachesOf = (path: string, ids: number[], before: Item[]): string[] => {
  const found = new Set(ids)
  const missing = before.filter(({ id }) => !found.has(id))
  return [
    ...(found.size === ids.length ? [] : [`${path} gave ${ids.length - found.size} rows twice`]),
    ...(missing.length === 0 ? [] : [`${path} skipped ${missing.length} rows`]),
  ]
}

/** Reads lists from id to id while other clients write: no earlier row is skipped, and none comes twice. */
export const proveReadingOn = async (stage: Stage): Promise<string> => {
  const { root, tenant, admins } = stage
  const by = only(admins)
  const [users, logs] = [
    await readAll<Item>(root, tenant, '/users'),
    await readAll<Item>(root, tenant, '/audit/logs'),
  ]
  const [userIds, logIds] = await besideWrites(stage, async () => [
    await readOn(by, '/users', 'after_id'),
    await readOn(by, '/audit/logs', 'before_id'),
  ])
  refuteNothing([
    ...breachesOf('/users', userIds ?? [], users.items),
    ...breachesOf('/audit/logs', logIds ?? [], logs.items),
  ])
  return `${users.items.length} users and ${logs.items.length} records of before, each read once while ${writers} clients wrote`
}

const isCapped = ({ headers }: Answer): boolean => headers.get('x-total-capped') === 'true'

/** Writes settings until the log has more than `totalMax` records; returns how many it has. */
const fillLog = async (stage: Stage): Promise<number> => {
  const { root, tenant } = stage
  let missing = totalMax + 50 - (await freshTotal(root, tenant, '/audit/logs'))
  await Promise.all(
    Array.from({ length: writers }, async (_, at) => {
      const by = adminAt(stage, at)
      const path = `/settings/tenant/filled.${at}`
      for (; missing > 0; missing -= 1) {
        const value = missing
        ok(await patiently(() => by.call('PUT', path, { value })))
      }
    }),
  )
  return (await readAll<Item>(root, tenant, '/audit/logs')).items.length
}

/** Above 10,000 a total is exact after 5 s where nothing filters the list, and stops at 10,000 with a header elsewhere. */
export const proveTotals = async (stage: Stage): Promise<string> => {
  const { root, tenant, admins } = stage
  const records = await fillLog(stage)
  const total = await freshTotal(root, tenant, '/audit/logs')
  const by = only(admins)
  const whole = await patiently(() => by.call('GET', '/audit/logs?page_size=1'))
  const filtered = await patiently(() => by.call('GET', '/audit/logs?page_size=1&from=2000-01-01T00:00:00Z'))
  const few = await patiently(() => by.call('GET', '/audit/logs?page_size=1&action=tenant.create'))
  const found: number = ok(filtered).total
  refuteNothing([
    ...(records > totalMax ? [] : [`${records} records are too few for this proof`]),
    ...(total === records ? [] : [`the total is ${total} instead of ${records}`]),
    ...(isCapped(whole) ? ['an unfiltered total says that it is capped'] : []),
    ...(isCapped(filtered) ? [] : ['a capped total does not say so']),
    ...(found === totalMax ? [] : [`a capped total is ${found} instead of ${totalMax}`]),
    ...(isCapped(few) ? ['a total of few records says that it is capped'] : []),
  ])
  return `${records} records: the unfiltered total is exact, a filtered one stops at ${totalMax} and says so`
}

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { refuteNothing } from '../../attack.ts'
import { newTenant, newUser, ok, request, roleId, signIn, type Session } from '../../../lab/client.ts'
import { readAlone, readBreaches, readDuring, shownReadings } from './readers.ts'
import type { Storm, StormOutcome } from './storm.ts'

const width = 200
const accounts = 6
const allowed = new Set(['200', '401', '429', '503'])

const rage = async (storm: Storm): Promise<StormOutcome> => {
  const worker = new Worker(new URL('storm.ts', import.meta.url), { workerData: storm })
  const [outcome] = (await once(worker, 'message')) as [StormOutcome]
  return outcome
}

const stormBreaches = ({ counts, withoutRetryAfter }: StormOutcome): string[] => {
  const unforeseen = Object.keys(counts).filter((status) => !allowed.has(status))
  return [
    ...unforeseen.map((status) => `a sign-in got '${status}', ${counts[status]} times`),
    ...(withoutRetryAfter > 0 ? [`${withoutRetryAfter} refusals without Retry-After`] : []),
    ...(counts['200'] === undefined ? ['no sign-in succeeded'] : []),
  ]
}

const countLogins = async (root: Session, tenant: string): Promise<number> => {
  const path = '/audit/logs?action=auth.login&page_size=1'
  const { total }: { total: number } = ok(await root.call('GET', path, undefined, { tenant }))
  return total
}

/**
 * The audit log holds one record per successful sign-in, their tokens work, and every account can sign in afterwards.
 */
const accountBreaches = async (
  root: Session,
  { tenant, before, people }: { tenant: string; before: number; people: Session[] },
  { counts, tokens }: StormOutcome,
): Promise<string[]> => {
  const breaches: string[] = []
  const recorded = (await countLogins(root, tenant)) - before
  if (recorded !== counts['200']) {
    breaches.push(`${counts['200']} signed in, ${recorded} have an audit record`)
  }
  for (const token of tokens.slice(-20)) {
    const { status } = await request(root.base, 'GET', '/api/v1/profile', { token })
    if (status !== 200) breaches.push(`a token of the storm gets ${status}`)
  }
  for (const { base, email, password } of people.slice(0, 3)) await signIn(base, email, password)
  return breaches
}

/** Signs in so many administrators of a tenant that none reads more than a user may. */
const openAccounts = async (root: Session, tenant: string): Promise<[Session, ...Session[]]> => {
  const role = await roleId(root, tenant, 'admin')
  const open = async (): Promise<Session> => {
    const session = await newUser(root, tenant)
    ok(await root.call('POST', `/rbac/users/${session.userId}/roles`, { role_id: role }, { tenant }))
    return session
  }
  const people: [Session, ...Session[]] = [await open()]
  while (people.length < accounts) people.push(await open())
  return people
}

/**
 * 200 clients sign in repeatedly, with right and wrong passwords and many addresses, each 0.1 s after its last answer.
 */
export const proveLogins = async (root: Session, ms: number): Promise<string> => {
  const { id: tenant } = await newTenant(root)
  const people = await openAccounts(root, tenant)
  const before = await countLogins(root, tenant)
  const emails = people.map(({ email }) => email)
  const storm = { url: root.base, emails, password: people[0].password, width, ms }
  const alone = await readAlone(people)
  const [outcome, readings] = await readDuring(people, () => rage(storm))
  const shown = Object.entries(outcome.counts).map(([status, count]) => `${status} ${count}×`)
  const evidence =
    `${width} clients that try again after 0.1 s, for ${ms / 1000} s, bcrypt cost 12: ${shown.join(', ')}; ` +
    `meanwhile ${shownReadings(readings)}; reads without them ${alone}`
  const broken = [...stormBreaches(outcome), ...readBreaches(readings)]
  if (broken.length > 0) throw new Error(`${broken.slice(0, 5).join(' | ')} (${evidence})`)
  refuteNothing(await accountBreaches(root, { tenant, before, people }, outcome))
  return evidence
}

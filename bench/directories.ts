/**
 * `npm run bench:directories` pushes users by SCIM, one POST each, and asks for them by filters. A missed target does not
 * fail the run.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { ok, signIn, type Answer, type Session } from '../lab/client.ts'
import { openDirectory, openNames, patchOf, scim, type Directory, type Names } from '../lab/directory.ts'
import { wholeNumber } from './arguments.ts'
import type { Server } from './contender.ts'
import {
  directoriesReport,
  judgeDirectories,
  type DirectoriesResults,
  type Plan,
  type Pushed,
  type Times,
} from './directories/report.ts'
import { quantile } from './figures.ts'
import { seed } from './operations.ts'
import { cpuSeconds, forgetPeak, peakMB, residentMB } from './process.ts'
import { progress } from './progress.ts'
import { runBench, type Own } from './runner.ts'
import { adminEnv, rootEmail, startTenantry } from './service.ts'
import type { Stores } from './stores.ts'

const secretKey = Buffer.alloc(32, 'bench').toString('base64')
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const groupMembers = 20_000

const timesOf = (ms: number[]): Times => ({
  p50: quantile(ms, 0.5),
  p99: quantile(ms, 0.99),
  most: quantile(ms, 1),
})

const addressOf = ({ domain }: Directory, number: number): string => `person.${number}@${domain}`

/** A user as Entra ID sends one. */
const userOf = (directory: Directory, number: number) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
  userName: addressOf(directory, number),
  externalId: `external-${number}`,
  active: true,
  displayName: `Person ${number}`,
  name: { givenName: 'Person', familyName: `Number ${number}`, formatted: `Person ${number}` },
  emails: [{ value: addressOf(directory, number), type: 'work', primary: true }],
  [enterprise]: { department: `Department ${number % 50}`, employeeNumber: String(number) },
})

type Key = Pick<Session, 'base' | 'token'>

/** Keys of the account of the directory, each with a limit of its own. */
const addKeys = async ({ admin, machine }: Directory, count: number): Promise<Key[]> => {
  const keys: Key[] = [machine]
  while (keys.length < count) {
    const path = `/service-accounts/${machine.userId}/keys`
    const { secret } = ok(await admin.call('POST', path, { name: `key ${keys.length}` }))
    keys.push({ base: machine.base, token: secret })
  }
  return keys
}

interface Counts {
  waits: number
  failures: number
  ms: number[]
}

/** Sends a request again after the time that 429 names. */
const patiently = async (counts: Counts, ask: () => Promise<Answer>): Promise<Answer> => {
  const answer = await ask()
  if (answer.status !== 429) return answer
  counts.waits += 1
  await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1000)
  return patiently(counts, ask)
}

/** Pushes all users. The ids of their resources, by number. */
const pushAll = async (
  { pid }: Server,
  directory: Directory,
  plan: Plan,
): Promise<{ pushed: Pushed; ids: string[] }> => {
  const keys = await addKeys(directory, plan.keys)
  const counts: Counts = { waits: 0, failures: 0, ms: [] }
  const ids: string[] = []
  let next = 0
  const client = async (key: Key) => {
    while (next < plan.users) {
      const number = next
      next += 1
      if (number % 5000 === 0) progress(`user ${number} of ${plan.users}`)
      const body = userOf(directory, number)
      const answer = await patiently(counts, () => scim(key, 'POST /Users', body))
      counts.ms.push(answer.ms)
      if (answer.status === 201) ids[number] = answer.body.id
      else counts.failures += 1
    }
  }
  const [beforeMB, cpuBefore, begun] = [residentMB(pid), cpuSeconds(pid), performance.now()]
  forgetPeak(pid)
  const clients = Array.from({ length: plan.connections }, (_, at) =>
    client(keys[at % keys.length] ?? directory.machine),
  )
  await Promise.all(clients)
  const seconds = (performance.now() - begun) / 1000
  const cpuMs = (cpuSeconds(pid) - cpuBefore) * 1000
  const { waits, failures, ms } = counts
  const memory = { beforeMB, peakMB: peakMB(pid), afterMB: residentMB(pid) }
  return { pushed: { seconds, waits, failures, ms: timesOf(ms), cpuMs, ...memory }, ids }
}

/** Sends what has to succeed. */
const sendOne = async ({ machine }: Directory, question: string, body: unknown, expected: number) => {
  const counts = { waits: 0, failures: 0, ms: [] }
  const answer = await patiently(counts, () => scim(machine, question, body))
  if (answer.status !== expected) throw new Error(`${answer.status}: ${answer.text.slice(0, 300)}`)
  return { id: answer.body?.id as string, ms: answer.ms }
}

const addGroups = async (directory: Directory, ids: string[]) => {
  const members = ids.slice(0, groupMembers - 1).map((value) => ({ value }))
  const all = await sendOne(directory, 'POST /Groups', { displayName: 'All', members }, 201)
  const last = patchOf({ op: 'add', path: 'members', value: [{ value: ids.at(-1) }] })
  const one = await sendOne(directory, `PATCH /Groups/${all.id}`, last, 204)
  for (let number = 0; number < 100; number += 1) {
    const own = ids.filter((_, at) => at % 100 === number).map((value) => ({ value }))
    await sendOne(directory, 'POST /Groups', { displayName: `Group ${number}`, members: own }, 201)
  }
  return { whole: all.ms, one: one.ms }
}

/** Asks for one resource after the other, spread over all. */
const measureFilters = async (
  directory: Directory,
  ids: string[],
  { questions }: Plan,
): Promise<DirectoriesResults['filters']> => {
  const kinds: Record<string, (number: number) => string> = {
    'userName eq': (number) =>
      `Users?filter=${encodeURIComponent(`userName eq "${addressOf(directory, number)}"`)}`,
    'externalId eq': (number) => `Users?filter=${encodeURIComponent(`externalId eq "external-${number}"`)}`,
    'members eq': (number) =>
      `Groups?excludedAttributes=members&filter=${encodeURIComponent(`members eq "${ids[number]}"`)}`,
    'members[value eq]': (number) =>
      `Groups?excludedAttributes=members&filter=${encodeURIComponent(`members[value eq "${ids[number]}"]`)}`,
  }
  const filters: DirectoriesResults['filters'] = {}
  for (const [kind, pathOf] of Object.entries(kinds)) {
    progress(`filter ${kind}`)
    const ms: number[] = []
    for (let at = 0; at < questions; at += 1) {
      const number = Math.floor((at * ids.length) / questions)
      const answer = await scim(directory.machine, `GET /${pathOf(number)}`)
      const isFound = answer.body?.totalResults > 0
      if (!isFound) throw new Error(`${kind}: ${answer.status} ${answer.text.slice(0, 300)}`)
      ms.push(answer.ms)
      // 50 requests a second are free.
      await sleep(Math.max(0, 25 - answer.ms))
    }
    filters[kind] = timesOf(ms)
  }
  return filters
}

const endDirectory = async ({ admin, connectionId }: Directory): Promise<number> => {
  const body = { scim_account_id: null }
  const answer = await admin.call('PUT', `/connections/${connectionId}`, body, { timeoutMs: 300_000 })
  ok(answer)
  return answer.ms / 1000
}

type Measured = Own<DirectoriesResults>

const measureOn = async (server: Server, names: Names, plan: Plan): Promise<Measured> => {
  const root = await signIn(server.url, rootEmail, seed.password)
  const directory = await openDirectory(root, names)
  const { pushed, ids } = await pushAll(server, directory, plan)
  progress('groups')
  const groupMs = await addGroups(directory, ids)
  const filters = await measureFilters(directory, ids, plan)
  progress('the end of the directory')
  return { plan, pushed, groupMs, filters, endSeconds: await endDirectory(directory) }
}

const measureAll = async (stores: Stores, plan: Plan): Promise<Measured> => {
  const names = await openNames()
  const server = await startTenantry({
    DATABASE_URL: await stores.createDatabase('directories'),
    REDIS_URL: stores.redisUrl,
    TENANTRY_SECRET_KEY: secretKey,
    TENANTRY_BCRYPT_COST: '4',
    ...names.env,
    ...adminEnv,
    TENANTRY_RATE_LIMIT: 'on',
  })
  try {
    return await measureOn(server, names, plan)
  } finally {
    await server.stop()
    await names.stop()
  }
}

await runBench<Plan, Measured>({
  name: 'directories',
  command: new Command()
    .description(
      'measure the first push of a directory, one request for each user, and filters over its users',
    )
    .option('--users <count>', 'users', wholeNumber, 100_000)
    .option('--keys <count>', 'keys of the directory, at most 10', wholeNumber, 10)
    .option('--connections <count>', 'requests at the same time', wholeNumber, 20)
    .option('--questions <count>', 'filters of each kind', wholeNumber, 1000),
  measure: measureAll,
  report: directoriesReport,
  judge: judgeDirectories,
})

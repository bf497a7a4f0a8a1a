/** Two replicas as two processes, one of which is killed while a directory pushes users. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ok, signIn, type Answer, type Session } from '../../lab/client.ts'
import { openDirectory, openNames, scim, type Directory, type Names } from '../../lab/directory.ts'
import type { Replica } from '../../lab/replica.ts'
import { createStores, endAll, start, type Stores } from './programs.ts'

const isOnServices = process.env['DATABASE_URL'] !== undefined && process.env['REDIS_URL'] !== undefined
const email = 'root@example.com'
const password = 'correct horse battery'

const users = 300
const clients = 6
const killedAfter = 60

let stores: Stores
let names: Names
let dying: Replica
let staying: Replica
let root: Session
let directory: Directory

const addressOf = (number: number) => `p${number}@${directory.domain}`

/** Undefined where the replica died before its answer. */
const push = (replica: Replica, number: number): Promise<Answer | undefined> =>
  scim({ ...directory.machine, base: replica.url }, 'POST /Users', { userName: addressOf(number) }).catch(
    () => undefined,
  )

/** All items of a list of the API. */
const readAll = async (path: string): Promise<Record<string, unknown>[]> => {
  const items: Record<string, unknown>[] = []
  for (let page = 1; ; page += 1) {
    const found = ok(await root.call('GET', `${path}&page=${page}&page_size=200`)).items
    items.push(...found)
    if (found.length < 200) return items
  }
}

describe.runIf(isOnServices)('two replicas', () => {
  beforeAll(async () => {
    ;[stores, names] = await Promise.all([createStores(), openNames()])
    const admin = { TENANTRY_ADMIN_EMAIL: email, TENANTRY_ADMIN_PASSWORD: password }
    const env = { ...stores.env, ...names.env, ...admin }
    ;[dying, staying] = await Promise.all([start(env), start(env)])
    root = await signIn(staying.url, email, password)
    directory = await openDirectory(root, names)
  })

  afterAll(async () => {
    endAll()
    await names?.stop()
    await stores?.remove()
  })

  test('the death of one within a push loses no acknowledged user and no record, and the rest succeeds', async () => {
    const acknowledged = new Map<number, string>()
    const unanswered: number[] = []
    let next = 0
    let killing: Promise<unknown> | undefined
    const client = async (replica: Replica) => {
      while (next < users) {
        const number = next
        next += 1
        const answer = await push(replica, number)
        if (answer?.status === 201) acknowledged.set(number, answer.body.id)
        else unanswered.push(number)
        if (acknowledged.size >= killedAfter) killing ??= dying.end('SIGKILL')
        if (killing !== undefined && replica === dying) return
      }
    }
    await Promise.all(Array.from({ length: clients }, (_, at) => client(at % 2 === 0 ? dying : staying)))
    await killing
    expect(acknowledged.size + unanswered.length).toBe(users)
    expect(unanswered.length).toBeGreaterThan(0)
    for (const [number, id] of acknowledged) {
      const { status, body } = await scim({ ...directory.machine, base: staying.url }, `GET /Users/${id}`)
      expect([number, status, body.userName]).toEqual([number, 200, addressOf(number)])
    }
    for (const number of unanswered) {
      const answer = await push(staying, number)
      // A user who is there without an answer is found, as providers look for one after a conflict.
      expect([201, 409]).toContain(answer?.status)
      const filter = encodeURIComponent(`userName eq "${addressOf(number)}"`)
      const { body } = await scim({ ...directory.machine, base: staying.url }, `GET /Users?filter=${filter}`)
      expect([number, body.totalResults]).toEqual([number, 1])
    }
    const expected = Array.from({ length: users }, (_, number) => addressOf(number)).toSorted()
    const created = (await readAll('/users?search=p')).map((one) => String(one['email']))
    expect(created.filter((one) => one.endsWith(directory.domain)).toSorted()).toEqual(expected)
    const records = (await readAll('/audit/logs?action=user.create')).map(
      ({ detail }) => (detail as { email?: { to: string } }).email?.to ?? '',
    )
    expect(records.filter((one) => one.endsWith(directory.domain)).toSorted()).toEqual(expected)
  })
})

/** The sealers of replicas, each with the longest pause between two looks. */
import sql from 'sql-template-tag'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { builtInTenant } from '../src/access/permissions.ts'
import type { Parts } from '../src/context.ts'
import { sealWaiting } from '../src/features/audit/audit/seal.service.ts'
import { startSealing } from '../src/start/maintenance.ts'
import { closeParts, openParts } from '../src/start/parts.ts'
import { credentials, postRegister } from './accounts.ts'
import { openStream } from './event-streams.ts'
import { clock, type Running } from './harness.ts'
import { openInstallation, startOn, type Installation } from './installation.ts'
import { data } from './replies.ts'
import { eventually } from './waits.ts'

const { DATABASE_URL, REDIS_URL } = process.env
const isOnServices = DATABASE_URL !== undefined && REDIS_URL !== undefined
/** Ten times as long as a record waits, and shorter than the longest pause. */
const soon = { timeout: 10_000, interval: 20 }
const tenantId = builtInTenant.id

// On a database of its own: other tests leave broken chains, whose records wait for ever.
describe('a record', () => {
  let installation: Installation
  let parts: Parts
  let at: Running
  beforeAll(async () => {
    installation = await openInstallation(REDIS_URL === undefined ? {} : { REDIS_URL })
    parts = installation.parts
    at = await startOn(parts)
  })
  afterAll(async () => {
    await at.app.close()
    await installation.remove()
  })
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const register = async () => data(await postRegister(credentials(), { at }))
  const waiting = (): Promise<unknown[]> =>
    parts.store.scoped({ tenantId }).many(sql`select id from audit_unsealed`)
  const expectSealedSoon = () => vi.waitFor(async () => expect(await waiting()).toEqual([]), soon)

  /** A sealer that has looked once, and now waits for a message. */
  const restingSealer = async (of: Parts): Promise<void> => {
    await sealWaiting(of)
    let looks = 0
    const transaction: Parts['store']['transaction'] = (scope, work, role) =>
      of.store.transaction(scope, work, role).finally(() => (looks += 1))
    onTestFinished(startSealing({ ...of, store: { ...of.store, transaction } }))
    await eventually(() => expect(looks).toBe(1))
  }

  test('is sealed soon after its commit, however rarely the sealer looks', async () => {
    await restingSealer(parts)
    await register()
    await expectSealedSoon()
  })

  test('is sealed as soon if its replica died before its message, and another one has a stream', async () => {
    const { access_token: token } = await register()
    await restingSealer(parts)
    const stream = await openStream({ token, tenantId }, { at })
    const written = await parts.store.scoped({ tenantId }).run(sql`
      with added as (
        insert into audit_logs (tenant_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
        values (${tenantId}, 'a.b', 'a', '', '{}', '', '', '', ${clock.now()})
        returning tenant_id, id
      )
      insert into audit_unsealed (tenant_id, id) select tenant_id, id from added`)
    expect(written).toBe(1)
    await expectSealedSoon()
    stream.close()
  })

  test.runIf(isOnServices)('is sealed as soon by another replica, if its own cannot seal', async () => {
    const other = await openParts(parts.config, parts.log, clock.now)
    onTestFinished(() => closeParts(other))
    await restingSealer(other)
    const transaction: Parts['store']['transaction'] = () => Promise.reject(new Error('the store is away'))
    onTestFinished(startSealing({ ...parts, store: { ...parts.store, transaction } }))
    await register()
    await expectSealedSoon()
  })
})

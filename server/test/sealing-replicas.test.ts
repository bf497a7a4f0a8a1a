/** The sealers of replicas, each with the longest pause between two looks. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Parts } from '../src/context.ts'
import { sealWaiting } from '../src/features/audit/audit/seal.service.ts'
import { startSealing } from '../src/start/maintenance.ts'
import { closeParts, openParts } from '../src/start/parts.ts'
import { sealsOf, writeMany } from './audit-chain.ts'
import { openStream } from './event-streams.ts'
import { newTenant } from './factories.ts'
import { clock, parts } from './harness.ts'
import { eventually } from './waits.ts'

const isOnServices = process.env['DATABASE_URL'] !== undefined && process.env['REDIS_URL'] !== undefined
/** Ten times as long as a record waits, and shorter than the longest pause. */
const soon = { timeout: 10_000, interval: 20 }

/** A sealer that has looked once, and now waits for a message. */
const restingSealer = async (of: Parts): Promise<void> => {
  await sealWaiting(parts)
  let looks = 0
  const transaction: Parts['store']['transaction'] = (scope, work, role) =>
    of.store.transaction(scope, work, role).finally(() => (looks += 1))
  onTestFinished(startSealing({ ...of, store: { ...of.store, transaction } }))
  await eventually(() => expect(looks).toBe(1))
}

describe('a record', () => {
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  test('is sealed soon after its commit, however rarely the sealer looks', async () => {
    const tenant = await newTenant()
    await restingSealer(parts)
    await tenant.role()
    await vi.waitFor(async () => expect(await sealsOf(tenant.id)).not.toEqual([]), soon)
  })

  test('is sealed as soon if its replica died before its message, and another one has a stream', async () => {
    const tenant = await newTenant()
    await restingSealer(parts)
    await openStream(tenant.admin)
    await writeMany(tenant.id, 1, { action: 'role.update' })
    await vi.waitFor(async () => expect(await sealsOf(tenant.id)).not.toEqual([]), soon)
  })

  test.runIf(isOnServices)('is sealed as soon by another replica, if its own cannot seal', async () => {
    const tenant = await newTenant()
    const other = await openParts(parts.config, parts.log, clock.now)
    onTestFinished(() => closeParts(other))
    await restingSealer(other)
    const transaction: Parts['store']['transaction'] = () => Promise.reject(new Error('the store is away'))
    onTestFinished(startSealing({ ...parts, store: { ...parts.store, transaction } }))
    await tenant.role()
    await vi.waitFor(async () => expect(await sealsOf(tenant.id)).not.toEqual([]), soon)
  })
})

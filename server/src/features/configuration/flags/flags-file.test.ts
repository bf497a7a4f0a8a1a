import { expect, test } from 'vitest'
import { newFlag } from '../../../../test/endpoints.ts'
import { builtIn, unique } from '../../../../test/factories.ts'
import { makeFlag } from '../../../../test/flags.ts'
import { parts } from '../../../../test/harness.ts'
import { inTenant } from '../../../context.ts'
import { Refusal } from '../../../errors/refusal.ts'
import { inOneTransaction, rehearse } from '../../../rehearsal.ts'
import { systemCtx } from '../../../start/parts.ts'
import type { FlagEntry } from './flags-file.schemas.ts'
import { exportFlags, makeFlags } from './flags-file.service.ts'

const ctx = inTenant(systemCtx(parts, 'test'), builtIn.id)
const kept = { prune: false }
const apply = (entries: FlagEntry[], options = kept) =>
  inOneTransaction(ctx, (ctx) => makeFlags(ctx, entries, options))

test('a file of flags is exported, planned without effect, and applied: the second time changes nothing', async () => {
  const gold = [{ conditions: [{ attribute: 'plan', op: 'in', values: ['gold'] }], serve: 'on' }]
  const key = await makeFlag({ rules: gold })
  const find = async (wanted: string) => (await exportFlags(ctx)).find((one) => one.key === wanted)
  const exported = (await find(key)) as FlagEntry
  expect(await apply([exported])).toEqual([])
  const added = { ...newFlag(unique('flag.')), rules: [{ serve: 'on' }] } as FlagEntry
  const changed = { ...exported, enabled: false, rules: [] }
  const lines = [`+ flag ${added.key}`, `~ flag ${key}: enabled, rules`]
  expect(await rehearse(ctx, (ctx) => makeFlags(ctx, [added, changed], kept))).toEqual(lines)
  expect(await find(added.key)).toBeUndefined()
  expect(await apply([added, changed])).toEqual(lines)
  expect(await apply([added, changed])).toEqual([])
  expect(await find(key)).toMatchObject({ enabled: false })
  const pruned = await rehearse(ctx, (ctx) => makeFlags(ctx, [added], { prune: true }))
  expect(pruned).toContain(`- flag ${key}`)
})

test('a file with a flag that cannot be is refused whole', async () => {
  const [one, two] = [newFlag(unique('flag.')), newFlag(unique('flag.'))] as [FlagEntry, FlagEntry]
  await expect(apply([one, { ...two, off_variant: 'none' }])).rejects.toThrow(Refusal)
  await expect(apply([one, one])).rejects.toThrow(Refusal)
  expect((await exportFlags(ctx)).map(({ key }) => key)).not.toContain(one.key)
})

/** Flags as code: exports flags to a file, compares them with a file, and applies a file. */
import { isDeepStrictEqual } from 'node:util'
import { applyChange, repeated, type FileOptions, type PlannedChange } from '../../../as-code.ts'
import type { Ctx } from '../../../context.ts'
import { Refusal } from '../../../errors/refusal.ts'
import type { FlagEntry } from './flags-file.schemas.ts'
import type { Flag, NewRule, Rule } from './flags.schemas.ts'
import { createFlag, deleteFlag, updateFlag } from './flags.service.ts'
import { selectFlags } from './flags.store.ts'
import { targetingKey } from './evaluation.ts'

const pageSizeMax = 1000

const readFlags = (ctx: Ctx): Promise<Flag[]> =>
  selectFlags(ctx.db, undefined, { limit: pageSizeMax, offset: 0 })

/** A rule without its default values. */
const ruleEntry = ({ id, description, conditions, serve, split, bucket_by }: Rule): NewRule => ({
  id,
  ...(description !== '' && { description }),
  ...(conditions.length > 0 && { conditions }),
  ...(serve !== null && { serve }),
  ...(split !== null && { split }),
  ...(bucket_by !== targetingKey && { bucket_by }),
})

const entryOf = (flag: Flag): FlagEntry => ({
  key: flag.key,
  ...(flag.description !== '' && { description: flag.description }),
  type: flag.type,
  variants: flag.variants,
  enabled: flag.enabled,
  off_variant: flag.off_variant,
  default_variant: flag.default_variant,
  ...(flag.client_side && { client_side: true }),
  ...(flag.rules.length > 0 && { rules: flag.rules.map(ruleEntry) }),
})

/** All flags, ordered by key, in the form of the file. */
export const exportFlags = async (ctx: Ctx): Promise<FlagEntry[]> => (await readFlags(ctx)).map(entryOf)

/**
 * The entry with defaults for missing fields. A rule without an id gets the id of the stored rule at the same index.
 */
const completed = (entry: FlagEntry, found: Flag | undefined) => ({
  description: '',
  client_side: false,
  ...entry,
  rules: (entry.rules ?? []).map((rule, at) => ({
    description: '',
    conditions: [],
    serve: null,
    split: null,
    bucket_by: targetingKey,
    ...rule,
    id: rule.id ?? found?.rules[at]?.id,
  })),
})

const fields = [
  'description',
  'type',
  'variants',
  'enabled',
  'off_variant',
  'default_variant',
  'client_side',
  'rules',
] as const

const stepFor = (entry: FlagEntry, found: Flag | undefined): PlannedChange[] => {
  const { key } = entry
  if (!found) return [{ line: `+ flag ${key}`, make: (ctx) => createFlag(ctx, entry) }]
  const wanted = completed(entry, found)
  const differing = fields.filter((name) => !isDeepStrictEqual(wanted[name], found[name]))
  if (differing.length === 0) return []
  const { key: _key, ...changes } = wanted
  const rules = changes.rules.map(({ id, ...rule }) => (id === undefined ? rule : { id, ...rule }))
  return [
    {
      line: `~ flag ${key}: ${differing.join(', ')}`,
      make: (ctx) => updateFlag(ctx, key, { ...changes, rules }, undefined),
    },
  ]
}

/**
 * Changes the flags to those of a file. With `prune` it deletes all other flags. Returns a line for each difference. A
 * plan runs it in a rehearsal (rehearsal.ts). Throws a Refusal for an invalid entry.
 */
export const makeFlags = async (
  ctx: Ctx,
  entries: FlagEntry[],
  { prune }: FileOptions,
): Promise<string[]> => {
  const twice = repeated(entries.map(({ key }) => key))
  if (twice.length > 0) throw new Refusal(twice.map((key) => `the file names the flag ${key} twice`))
  const present = new Map((await readFlags(ctx)).map((flag) => [flag.key, flag]))
  const named = new Set(entries.map(({ key }) => key))
  const gone = prune ? [...present.keys()].filter((key) => !named.has(key)) : []
  const steps = [
    ...entries.flatMap((entry) => stepFor(entry, present.get(entry.key))),
    ...gone.map((key) => ({ line: `- flag ${key}`, make: (ctx: Ctx) => deleteFlag(ctx, key, undefined) })),
  ]
  for (const step of steps) await applyChange(ctx, step)
  return steps.map(({ line }) => line)
}

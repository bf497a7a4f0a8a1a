/** Exports declarations and flags to a file, compares them, and applies the file in one transaction. */
import { stringify } from 'yaml'
import {
  applyChange,
  readChecked,
  repeated,
  type Check,
  type FileOptions,
  type PlannedChange,
} from '../../../as-code.ts'
import type { Ctx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { Refusal } from '../../../errors/refusal.ts'
import { inOneTransaction, rehearse } from '../../../rehearsal.ts'
import {
  exportAttributes,
  faultsOfAttributes,
  makeAttributes,
} from '../attributes/attributes-file.service.ts'
import { exportFlags, makeFlags } from '../flags/flags-file.service.ts'
import { definitionOf, deleteDefinition, differencesOf, putDefinition } from './definitions.service.ts'
import type { StoredDefinition } from './definitions.sql.ts'
import { selectDefinitions } from './definitions.store.ts'
import type { DefinitionEntry, SettingsFile } from './settings-file.schemas.ts'

/** A step returns the number of stored values that its declaration refuses. */
type DefinitionStep = PlannedChange<number>

const entryOf = (definition: StoredDefinition): DefinitionEntry => ({
  key: definition.key,
  schema: definition.schema,
  ...(definition.default_value !== null && { default: definition.default_value }),
  scopes: definition.scopes,
  ...(definition.is_secret && { secret: true }),
  ...(definition.is_public && { public: true }),
  ...(definition.label !== '' && { label: definition.label }),
  ...(definition.description !== '' && { description: definition.description }),
  ...(definition.group_name !== '' && { group: definition.group_name }),
})

/** The product's declarations, attributes and flags as YAML. */
export const exportSettings = async (ctx: Ctx): Promise<string> => {
  const definitions = (await selectDefinitions(ctx.db)).map(entryOf)
  const [attributes, flags] = [await exportAttributes(ctx), await exportFlags(ctx)]
  return stringify({ definitions, attributes, flags }, { aliasDuplicateObjects: false })
}

/** Finds faults of an entry that the file's schema cannot express. */
const faultsOfEntry = (entry: DefinitionEntry): string[] => {
  try {
    definitionOf(entry.key, entry)
    return []
  } catch (err) {
    if (!(err instanceof AppError)) throw err
    return [`${entry.key}: ${err.message}`]
  }
}

/** Reads the file. Throws a Refusal with a line for each fault. */
export const parseSettings = (text: string, check: Check): SettingsFile => {
  const file = readChecked(text, check) as SettingsFile
  const twice = repeated(file.definitions.map(({ key }) => key)).map((key) => `the file names ${key} twice`)
  const ofAttributes = faultsOfAttributes(file.attributes ?? [])
  const ill = [...twice, ...file.definitions.flatMap(faultsOfEntry), ...ofAttributes]
  if (ill.length > 0) throw new Refusal(ill)
  return file
}

const stepFor = (entry: DefinitionEntry, before: StoredDefinition | undefined): DefinitionStep[] => {
  const { key, ...definition } = entry
  const changed = differencesOf(before, definitionOf(key, entry))
  if (changed.length === 0) return []
  const line = before ? `~ setting ${key}: ${changed.join(', ')}` : `+ setting ${key}`
  const make = async (ctx: Ctx) => (await putDefinition(ctx, key, { ...definition, force: true })).invalid
  return [{ line, make }]
}

const stepsTo = async (
  { db }: Ctx,
  file: SettingsFile,
  { prune }: FileOptions,
): Promise<DefinitionStep[]> => {
  const present = new Map((await selectDefinitions(db)).map((one) => [one.key, one]))
  const named = new Set(file.definitions.map(({ key }) => key))
  const unnamed = prune ? [...present.keys()].filter((key) => !named.has(key)) : []
  const remove = (key: string) => async (ctx: Ctx) => {
    await deleteDefinition(ctx, key)
    return 0
  }
  return [
    ...file.definitions.flatMap((entry) => stepFor(entry, present.get(entry.key))),
    ...unnamed.map((key) => ({ line: `- setting ${key}`, make: remove(key) })),
  ]
}

const makeSteps = async (ctx: Ctx, file: SettingsFile, options: FileOptions): Promise<string[]> => {
  const lines: string[] = []
  for (const step of await stepsTo(ctx, file, options)) {
    const invalid = await applyChange(ctx, step)
    lines.push(
      invalid > 0
        ? `${step.line} (${invalid} stored values count no more: the schema refuses them)`
        : step.line,
    )
  }
  if (file.attributes) lines.push(...(await makeAttributes(ctx, file.attributes, options)))
  if (file.flags) lines.push(...(await makeFlags(ctx, file.flags, options)))
  return lines
}

/** A line for each change that `applySettings` would make. It makes the changes and rolls them back. */
export const planSettings = (ctx: Ctx, file: SettingsFile, options: FileOptions): Promise<string[]> =>
  rehearse(ctx, (ctx) => makeSteps(ctx, file, options))

/** Brings declarations and flags to the state of the file, in one transaction with a record for each change. */
export const applySettings = (ctx: Ctx, file: SettingsFile, options: FileOptions): Promise<string[]> =>
  inOneTransaction(ctx, (ctx) => makeSteps(ctx, file, options))

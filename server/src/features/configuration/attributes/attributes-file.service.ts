/** Declarations of attributes as code: exports them to a file, compares them with a file, and applies a file. */
import { isDeepStrictEqual } from 'node:util'
import { applyChange, repeated, type FileOptions, type PlannedChange } from '../../../as-code.ts'
import type { Ctx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { attributeOf, omittedFields } from './attribute-rules.ts'
import type { AttributeEntry } from './attributes-file.schemas.ts'
import { declareAttribute, deleteAttribute, differencesOf } from './attributes.service.ts'
import type { StoredAttribute } from './attributes.sql.ts'
import { selectAttributes } from './attributes.store.ts'

/** A declaration without its default values. */
const entryOf = ({ subject, key, schema, ...fields }: StoredAttribute): AttributeEntry => ({
  subject,
  key,
  schema,
  ...Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => !isDeepStrictEqual(value, omittedFields[name as keyof typeof omittedFields]),
    ),
  ),
})

export const exportAttributes = async ({ db }: Ctx): Promise<AttributeEntry[]> =>
  (await selectAttributes(db)).map(entryOf)

const nameOf = ({ subject, key }: { subject: string; key: string }) => `${subject}/${key}`

/** Finds faults that the file's schema cannot express. */
export const faultsOfAttributes = (entries: AttributeEntry[]): string[] => {
  const twice = repeated(entries.map(nameOf)).map((name) => `the file names the attribute ${name} twice`)
  const ill = entries.flatMap((entry) => {
    try {
      attributeOf(entry, entry)
      return []
    } catch (err) {
      if (!(err instanceof AppError)) throw err
      return [`${nameOf(entry)}: ${err.message}`]
    }
  })
  return [...twice, ...ill]
}

/** A step returns the number of stored values that its declaration refuses. */
type AttributeStep = PlannedChange<number>

const stepFor = (entry: AttributeEntry, before: StoredAttribute | undefined): AttributeStep[] => {
  const { subject, key, ...input } = entry
  const changed = differencesOf(before, attributeOf(entry, input))
  if (changed.length === 0) return []
  const name = nameOf(entry)
  const line = before ? `~ attribute ${name}: ${changed.join(', ')}` : `+ attribute ${name}`
  const make = async (ctx: Ctx) =>
    (await declareAttribute(ctx, { subject, key }, { ...input, force: true })).invalid
  return [{ line, make }]
}

const stepsTo = async ({ db }: Ctx, entries: AttributeEntry[], { prune }: FileOptions) => {
  const present = new Map((await selectAttributes(db)).map((one) => [nameOf(one), one]))
  const named = new Set(entries.map(nameOf))
  const unnamed = prune ? [...present.values()].filter((one) => !named.has(nameOf(one))) : []
  const remove =
    ({ subject, key }: StoredAttribute) =>
    async (ctx: Ctx) => {
      await deleteAttribute(ctx, { subject, key })
      return 0
    }
  return [
    ...unnamed.map((one): AttributeStep => ({ line: `- attribute ${nameOf(one)}`, make: remove(one) })),
    ...entries.flatMap((entry) => stepFor(entry, present.get(nameOf(entry)))),
  ]
}

/** Brings the declarations to the state of the file. Returns a line for each change. */
export const makeAttributes = async (
  ctx: Ctx,
  entries: AttributeEntry[],
  options: FileOptions,
): Promise<string[]> => {
  const lines: string[] = []
  for (const step of await stepsTo(ctx, entries, options)) {
    const invalid = await applyChange(ctx, step)
    lines.push(
      invalid > 0
        ? `${step.line} (${invalid} stored values count no more: the schema refuses them)`
        : step.line,
    )
  }
  return lines
}

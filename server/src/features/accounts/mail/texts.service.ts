/** All texts of e-mails, which files export and replace: the product's own texts, or else the built-in texts. */
import { inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import type { FileOptions } from '../../../as-code.ts'
import { writableKinds, type MailKind } from '../../../mail/kinds.ts'
import { languages } from '../../../mail/language.ts'
import { texts, type MailText } from '../../../mail/texts.ts'
import { Refusal } from '../../../errors/refusal.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { builtIn, textOf } from './found-text.service.ts'
import { fileOf, nameOf, type NamedText, type TextEntry } from './text-files.service.ts'
import * as store from './texts.store.ts'

/** docs/operating.md, "Texts of e-mails". */
const textsMax = 2000

/** The product's texts by name. */
const readPresent = async ({ db }: Pick<Ctx, 'db'>): Promise<Map<string, TextEntry>> => {
  const rows = await store.selectTexts(db)
  return new Map(
    rows.map((row) => {
      const entry = { kind: row.kind as MailKind, language: row.language, text: textOf(row) }
      return [nameOf(entry), entry]
    }),
  )
}

const builtInEntries = (): TextEntry[] =>
  languages.flatMap((language) =>
    writableKinds.map((kind) => ({ kind, language, text: texts[language][kind] })),
  )

/** All present texts as files, also the built-in texts. */
export const exportTexts = async (ctx: Ctx): Promise<NamedText[]> => {
  const present = await readPresent(ctx)
  const all = new Map([...builtInEntries().map((one) => [nameOf(one), one] as const), ...present])
  return [...all.values()].map(fileOf).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** One difference between the files and the installation, and the change that removes it. */
interface TextChange {
  /** For example "~ reset.en: subject". */
  line: string
  make: (ctx: TransactionCtx) => void
}

const fieldsOf = (text: MailText | undefined): Record<string, unknown> => ({ ...text })

const differences = (from: MailText | undefined, to: MailText): string =>
  Object.keys(changesBetween(fieldsOf(from), fieldsOf(to))).join(', ')

const write = (ctx: TransactionCtx, { kind, language, text }: TextEntry, before?: MailText): void => {
  store.upsertText(ctx.db, { kind, language, ...text, button: text.button ?? null })
  const name = nameOf({ kind, language })
  record(ctx, {
    action: before ? 'mail_text.update' : 'mail_text.create',
    resourceId: name,
    detail: { ...naming({ name }), ...changesBetween(fieldsOf(before), fieldsOf(text)) },
  })
}

const remove = (ctx: TransactionCtx, { kind, language, text }: TextEntry): void => {
  store.deleteTextRow(ctx.db, { kind, language })
  const name = nameOf({ kind, language })
  record(ctx, {
    action: 'mail_text.delete',
    resourceId: name,
    detail: { ...naming({ name }), ...changesBetween(fieldsOf(text), {}) },
  })
}

/** A file equal to the built-in text stores nothing, so that a later version can correct the built-in text. */
const changeFor = (entry: TextEntry, stored: TextEntry | undefined): TextChange[] => {
  const [name, own] = [nameOf(entry), builtIn(entry.kind, entry.language)]
  const before = stored?.text ?? own
  const changed = differences(before, entry.text)
  if (changed === '') return []
  if (stored && own && differences(own, entry.text) === '') {
    return [{ line: `~ ${name}: the built-in text again`, make: (ctx) => remove(ctx, stored) }]
  }
  const line = before ? `~ ${name}: ${changed}` : `+ ${name}`
  return [{ line, make: (ctx) => write(ctx, entry, stored?.text) }]
}

const changesTo = (
  present: Map<string, TextEntry>,
  entries: TextEntry[],
  { prune }: FileOptions,
): TextChange[] => {
  const named = new Set(entries.map(nameOf))
  const unnamed = prune ? [...present.values()].filter((one) => !named.has(nameOf(one))) : []
  return [
    ...entries.flatMap((entry) => changeFor(entry, present.get(nameOf(entry)))),
    ...unnamed.map((one) => ({ line: `- ${nameOf(one)}`, make: (ctx: TransactionCtx) => remove(ctx, one) })),
  ]
}

/** A line for each change that `applyTexts` would make. */
export const planTexts = async (ctx: Ctx, entries: TextEntry[], options: FileOptions): Promise<string[]> =>
  changesTo(await readPresent(ctx), entries, options).map(({ line }) => line)

/** Changes the texts to those of the files, in one transaction, with an audit record for each change. */
export const applyTexts = (ctx: Ctx, entries: TextEntry[], options: FileOptions): Promise<string[]> =>
  inTransaction(ctx, async (ctx) => {
    store.lockTexts(ctx.db)
    const steps = changesTo(await readPresent(ctx), entries, options)
    for (const { make } of steps) make(ctx)
    const { size } = await readPresent(ctx)
    if (size > textsMax) throw new Refusal([`${size} texts are more than ${textsMax}`])
    return steps.map(({ line }) => line)
  })

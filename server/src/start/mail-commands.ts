import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { FileOptions } from '../as-code.ts'
import type { Config } from '../config/config.ts'
import type { Ctx } from '../context.ts'
import { parseTexts, type NamedText, type TextEntry } from '../features/accounts/mail/text-files.service.ts'
import { MailTextFile } from '../features/accounts/mail/texts-file.schemas.ts'
import { applyTexts, exportTexts, planTexts } from '../features/accounts/mail/texts.service.ts'
import { readNamed } from '../named-file.ts'
import { Refusal } from '../errors/refusal.ts'
import { applied, checkBy, planned } from './as-code.ts'
import { withParts } from './commands.ts'
import { systemCtx } from './parts.ts'

/** The most texts in a folder. */
const filesMax = 2000
/** A text has at most 10,000 characters. */
const bytesMax = 64 * 1024

/** The faults of a file's structure. Its words are checked later. */
export const faultsOfText = checkBy(MailTextFile)

const faultOf = (folder: string, { code }: NodeJS.ErrnoException): Refusal =>
  new Refusal([code === 'ENOENT' ? `${folder} does not exist` : `${folder} cannot be read (${code})`])

/** The YAML files of a folder. Ignores other files, such as a README. */
const namesIn = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch((err: unknown) => {
    throw faultOf(folder, err as NodeJS.ErrnoException)
  })
  const found = names.filter((name) => /\.ya?ml$/i.test(name)).toSorted()
  if (found.length === 0) throw new Refusal([`${folder} has no text, such as reset.en.yaml`])
  if (found.length > filesMax) throw new Refusal([`${folder} has more than ${filesMax} texts`])
  return found
}

const withFolder = async <T>(
  config: Config,
  log: Logger,
  folder: string,
  work: (ctx: Ctx, entries: TextEntry[]) => Promise<T>,
): Promise<T> => {
  const names = await namesIn(folder)
  const files: NamedText[] = names.map((name) => ({ name, content: readNamed(join(folder, name), bytesMax) }))
  const entries = parseTexts(files, faultsOfText)
  return withParts(config, log, (parts) => work(systemCtx(parts, 'mails'), entries))
}

/** Writes the present texts into a new or empty folder. Returns the line to print. */
export const exportTo = (config: Config, log: Logger, folder: string): Promise<string> =>
  withParts(config, log, async (parts) => {
    const files = await exportTexts(systemCtx(parts, 'mails'))
    await mkdir(folder, { recursive: true })
    if ((await readdir(folder)).length > 0) throw new Refusal([`${folder} is not empty`])
    for (const { name, content } of files) await writeFile(join(folder, name), content, { flag: 'wx' })
    return `wrote ${files.length} texts into ${folder}`
  })

/** Describes the changes of an apply. Returns the lines to print. */
export const planFrom = (config: Config, log: Logger, folder: string, options: FileOptions) =>
  withFolder(config, log, folder, async (ctx, entries) => planned(await planTexts(ctx, entries, options)))

/** Applies the files' texts. Returns the lines to print. */
export const applyFrom = (config: Config, log: Logger, folder: string, options: FileOptions) =>
  withFolder(config, log, folder, async (ctx, entries) => applied(await applyTexts(ctx, entries, options)))

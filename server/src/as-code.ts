/** Parts of the installation as code: YAML is read, compared with the installation, and applied. */
import { parse } from 'yaml'
import type { Ctx } from './context.ts'
import { AppError } from './errors/app-error.ts'
import { Refusal } from './errors/refusal.ts'

export interface FileOptions {
  /** True to remove everything that the file does not name. */
  prune: boolean
}

/** One difference between a file and the installation, and the function that applies it. */
export interface PlannedChange<Result = unknown> {
  /** For example "+ permission invoice:read". */
  line: string
  make: (ctx: Ctx) => Promise<Result>
}

/** Returns a line for each fault of a file's content. */
export type Check = (value: unknown) => string[]

/** The content of a YAML text, or its fault. */
export const readYaml = (text: string): { value: unknown } | string => {
  try {
    return { value: parse(text) }
  } catch (err) {
    return `is no YAML: ${err instanceof Error ? err.message : String(err)}`
  }
}

/** The content of a file. Throws a Refusal with a line for each fault. */
export const readChecked = (text: string, check: Check): unknown => {
  const yaml = readYaml(text)
  if (typeof yaml === 'string') throw new Refusal([`the file ${yaml}`])
  const faults = check(yaml.value)
  if (faults.length > 0) throw new Refusal(faults)
  return yaml.value
}

/** The names that occur more than once, each at its later places. */
export const repeated = (names: string[]): string[] => names.filter((name, at) => names.indexOf(name) !== at)

/** Applies a difference. An AppError of the service becomes a Refusal with the line of the difference. */
export const applyChange = <Result>(ctx: Ctx, { line, make }: PlannedChange<Result>): Promise<Result> =>
  make(ctx).catch((err: unknown) => {
    throw err instanceof AppError ? new Refusal([`${line}: ${err.message}`]) : err
  })

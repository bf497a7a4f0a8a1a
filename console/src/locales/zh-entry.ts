import type { entry as en } from './en-entry.ts'
import { errors } from './zh/errors.ts'
import { common, fieldFaults, fields } from './zh/kit.ts'
import { shell } from './zh/shell.ts'
import { signIn } from './zh/sign-in.ts'

export const entry: typeof en = {
  common,
  errors,
  fieldFaults,
  fields,
  shell,
  signIn,
}

import { errors } from './en/errors.ts'
import { common, fieldFaults, fields } from './en/kit.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'

/** The texts of every page, the sign-in included. */
export const entry = {
  common,
  errors,
  fieldFaults,
  fields,
  shell,
  signIn,
}

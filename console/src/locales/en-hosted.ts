import { errors } from './en/errors.ts'
import { factors } from './en/factors.ts'
import { hosted as pages } from './en/hosted.ts'
import { joining } from './en/joining.ts'
import { common, fieldFaults, fields } from './en/kit.ts'
import { recovery } from './en/recovery.ts'
import { signIn } from './en/sign-in.ts'
import { signUp } from './en/sign-up.ts'

/** The texts of the pages on which people sign in to applications. */
export const hosted = {
  common,
  errors,
  factors,
  fieldFaults,
  fields,
  hosted: pages,
  joining,
  recovery,
  signIn,
  signUp,
}

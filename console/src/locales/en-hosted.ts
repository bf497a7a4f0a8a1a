import { errors } from './en/errors.ts'
import { factors } from './en/factors.ts'
import { hosted as pages } from './en/hosted.ts'
import { common, fieldFaults, fields } from './en/kit.ts'
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
  signIn,
  signUp,
}

import { errors } from './zh/errors.ts'
import { factors } from './zh/factors.ts'
import { hosted as pages } from './zh/hosted.ts'
import { common, fieldFaults, fields } from './zh/kit.ts'
import { signIn } from './zh/sign-in.ts'
import { signUp } from './zh/sign-up.ts'

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

import { errors } from './zh/errors.ts'
import { factors } from './zh/factors.ts'
import { hosted as pages } from './zh/hosted.ts'
import { joining } from './zh/joining.ts'
import { common, fieldFaults, fields } from './zh/kit.ts'
import { recovery } from './zh/recovery.ts'
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
  joining,
  recovery,
  signIn,
  signUp,
}

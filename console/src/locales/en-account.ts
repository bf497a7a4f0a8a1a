import { factors } from './en/factors.ts'
import { grants } from './en/grants.ts'
import { memberships } from './en/memberships.ts'
import { ownProfile } from './en/own-profile.ts'
import { profile } from './en/profile.ts'
import { recovery } from './en/recovery.ts'
import { sessions } from './en/sessions.ts'
import { signUp } from './en/sign-up.ts'

/** The texts of a person's own account, and of the second step of a sign-in. */
export const account = {
  factors,
  grants,
  memberships,
  ownProfile,
  profile,
  recovery,
  sessions,
  signUp,
}

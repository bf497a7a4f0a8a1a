import type { account as en } from './en-account.ts'
import { factors } from './zh/factors.ts'
import { grants } from './zh/grants.ts'
import { memberships } from './zh/memberships.ts'
import { ownProfile } from './zh/own-profile.ts'
import { profile } from './zh/profile.ts'
import { recovery } from './zh/recovery.ts'
import { sessions } from './zh/sessions.ts'
import { signUp } from './zh/sign-up.ts'

export const account: typeof en = {
  factors,
  grants,
  memberships,
  ownProfile,
  profile,
  recovery,
  sessions,
  signUp,
}

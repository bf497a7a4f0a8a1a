import type { access as en } from './en-access.ts'
import { authz } from './zh/authz.ts'
import { invitations } from './zh/invitations.ts'
import { roles } from './zh/roles.ts'
import { users } from './zh/users.ts'

export const access: typeof en = {
  authz,
  invitations,
  roles,
  users,
}

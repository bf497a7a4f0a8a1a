import { authz } from './en/authz.ts'
import { invitations } from './en/invitations.ts'
import { roles } from './en/roles.ts'
import { users } from './en/users.ts'

/** The texts of the pages about users and roles. */
export const access = {
  authz,
  invitations,
  roles,
  users,
}

import { common, fields, table } from './en/kit.ts'
import { dashboard } from './en/dashboard.ts'
import { errors } from './en/errors.ts'
import { profile } from './en/profile.ts'
import { roles } from './en/roles.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { tenants } from './en/tenants.ts'
import { users } from './en/users.ts'

/** What every language has to say: the others do not compile without a key of these, and `t` takes no other. */
export const en = { common, dashboard, errors, fields, profile, roles, shell, signIn, table, tenants, users }

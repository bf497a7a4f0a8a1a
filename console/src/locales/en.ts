import { common, fields, table } from './en/kit.ts'
import { dashboard } from './en/dashboard.ts'
import { errors } from './en/errors.ts'
import { profile } from './en/profile.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { userImport } from './en/user-import.ts'
import { users } from './en/users.ts'

/** What every language has to say: the others do not compile without a key of these, and `t` takes no other. */
export const en = { common, dashboard, errors, fields, profile, shell, signIn, table, userImport, users }

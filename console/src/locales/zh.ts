import type { en } from './en.ts'
import { common, fields, table } from './zh/kit.ts'
import { dashboard } from './zh/dashboard.ts'
import { errors } from './zh/errors.ts'
import { profile } from './zh/profile.ts'
import { shell } from './zh/shell.ts'
import { signIn } from './zh/sign-in.ts'
import { userImport } from './zh/user-import.ts'
import { users } from './zh/users.ts'

export const zh: typeof en = {
  common,
  dashboard,
  errors,
  fields,
  profile,
  shell,
  signIn,
  table,
  userImport,
  users,
}

import type { en } from './en.ts'
import { audit, auditActions, auditFields, auditPhrases, auditResources } from './zh/audit.ts'
import { dashboard } from './zh/dashboard.ts'
import { errors } from './zh/errors.ts'
import { common, fieldFaults, fields, table } from './zh/kit.ts'
import { permissionTexts, systemRoles } from './zh/permissions.ts'
import { places } from './zh/places.ts'
import { shell } from './zh/shell.ts'
import { signIn } from './zh/sign-in.ts'

export const zh: typeof en = {
  audit,
  auditActions,
  auditFields,
  auditPhrases,
  auditResources,
  common,
  dashboard,
  errors,
  fieldFaults,
  fields,
  permissionTexts,
  places,
  shell,
  signIn,
  systemRoles,
  table,
}

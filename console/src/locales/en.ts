import { audit, auditActions, auditFields, auditPhrases, auditResources } from './en/audit.ts'
import { dashboard } from './en/dashboard.ts'
import { errors } from './en/errors.ts'
import { common, fieldFaults, fields, table } from './en/kit.ts'
import { permissionTexts, systemRoles } from './en/permissions.ts'
import { places } from './en/places.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'

/** The texts that a first visit needs: of the frame, the dashboard, the audit log, and faults. */
export const en = {
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

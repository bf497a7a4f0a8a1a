import { auditFields, auditResources } from './en/audit-fields.ts'
import { auditPhrases } from './en/audit-phrases.ts'
import { audit, auditActions } from './en/audit.ts'
import { table } from './en/kit.ts'
import { permissionTexts, systemRoles } from './en/permissions.ts'
import { places } from './en/places.ts'

/** The texts of the frame and the audit log. */
export const frame = {
  audit,
  auditActions,
  auditFields,
  auditPhrases,
  auditResources,
  permissionTexts,
  places,
  systemRoles,
  table,
}

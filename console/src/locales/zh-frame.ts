import type { frame as en } from './en-frame.ts'
import { auditFields, auditResources } from './zh/audit-fields.ts'
import { auditPhrases } from './zh/audit-phrases.ts'
import { audit, auditActions } from './zh/audit.ts'
import { table } from './zh/kit.ts'
import { permissionTexts, systemRoles } from './zh/permissions.ts'
import { places } from './zh/places.ts'

export const frame: typeof en = {
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

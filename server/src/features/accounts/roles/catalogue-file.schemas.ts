import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { CreatePermission, CreateRoleTemplate } from './catalogue.schemas.ts'

const { code, name, description } = CreatePermission.properties

const PermissionEntry = Type.Object({ code, name, description }, { additionalProperties: false })
export type PermissionEntry = Static<typeof PermissionEntry>

const TemplateEntry = Type.Object(
  {
    name: CreateRoleTemplate.properties.name,
    description: CreateRoleTemplate.properties.description,
    permissions: Type.Array(Type.String({ maxLength: 65 }), { maxItems: 2000 }),
    given_to_new_users: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type TemplateEntry = Static<typeof TemplateEntry>

/** The file of `tenantry catalogue`. */
export const CatalogueFile = Type.Object(
  {
    permissions: Type.Array(PermissionEntry, { maxItems: 1000 }),
    role_templates: Type.Array(TemplateEntry, { maxItems: 200 }),
  },
  { additionalProperties: false },
)
export type CatalogueFile = Static<typeof CatalogueFile>

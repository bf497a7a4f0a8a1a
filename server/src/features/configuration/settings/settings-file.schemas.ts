import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { AttributeEntry } from '../attributes/attributes-file.schemas.ts'
import { FlagEntry } from '../flags/flags-file.schemas.ts'
import { PutDefinition } from './definitions.schemas.ts'
import { KeyParams } from './settings.schemas.ts'

const { force: _, ...fields } = PutDefinition.properties

const DefinitionEntry = Type.Object(
  { key: KeyParams.properties.key, ...fields },
  { additionalProperties: false },
)
export type DefinitionEntry = Static<typeof DefinitionEntry>

/**
 * The file of `tenantry settings`: declarations without values, attributes and flags. Without the list `attributes` or
 * `flags` an apply leaves these unchanged.
 */
export const SettingsFile = Type.Object(
  {
    definitions: Type.Array(DefinitionEntry, { maxItems: 1000 }),
    attributes: Type.Optional(Type.Array(AttributeEntry, { maxItems: 200 })),
    flags: Type.Optional(Type.Array(FlagEntry, { maxItems: 1000 })),
  },
  { additionalProperties: false },
)
export type SettingsFile = Static<typeof SettingsFile>

import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
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
 * The file of `tenantry settings`: declarations without values, and flags. Without `flags` an apply leaves the flags
 * unchanged.
 */
export const SettingsFile = Type.Object(
  {
    definitions: Type.Array(DefinitionEntry, { maxItems: 1000 }),
    flags: Type.Optional(Type.Array(FlagEntry, { maxItems: 1000 })),
  },
  { additionalProperties: false },
)
export type SettingsFile = Static<typeof SettingsFile>

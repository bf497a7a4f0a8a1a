import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { CreateFlag } from './flags.schemas.ts'

/** A flag in the file of `tenantry settings`: the fields that a person writes, without the overrides of tenants. */
export const FlagEntry = Type.Object(CreateFlag.properties, { additionalProperties: false })
export type FlagEntry = Static<typeof FlagEntry>

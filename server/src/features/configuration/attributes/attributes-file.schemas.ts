import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { AttributeParams, PutAttribute } from './attributes.schemas.ts'

const { force: _, ...fields } = PutAttribute.properties

export const AttributeEntry = Type.Object(
  { ...AttributeParams.properties, ...fields },
  { additionalProperties: false },
)
export type AttributeEntry = Static<typeof AttributeEntry>

import { Type } from '../../../values/type.ts'
import { AttributeValues } from './attributes.schemas.ts'

export const filterPrefix = 'attribute.'

/** The filters by attributes in a query: fields for the API description, and the pattern of their names. */
export const attributeFilters = {
  fields: {
    'attribute.KEY': Type.Optional(
      Type.String({
        maxLength: 4096,
        description:
          'Only those with this value of the attribute `KEY`, which is indexed: exact, texts without case. Up to 3 of these.',
        examples: ['sales'],
      }),
    ),
  },
  options: {
    patternProperties: {
      [String.raw`^attribute\.[a-z][a-z0-9_]{0,63}$`]: Type.String({ maxLength: 4096 }),
    },
  },
}

export const ListedAttributes = Type.Optional({
  ...AttributeValues,
  description: 'Only with `include=attributes`: the values that the caller may read, without sensitive ones.',
})

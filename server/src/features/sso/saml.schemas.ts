import { Type, type Static } from 'typebox'

const attributeMax = 256

const Attribute = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: attributeMax, default: '', description, examples: [example] }))

/** The fields of a connection of SAML that its administrator sends. */
export const SamlFields = Type.Object({
  metadata: Type.String({
    minLength: 1,
    maxLength: 262_144,
    description: 'The metadata of the provider: XML of one entity, up to 256 KiB.',
    examples: ['<EntityDescriptor …'],
  }),
  subject: Type.String({
    minLength: 1,
    maxLength: attributeMax,
    description: '`name_id`, or the attribute that names a person and never changes. It stays as it is.',
    examples: ['name_id'],
  }),
  email_attribute: Attribute('The attribute with the address.', 'email'),
  name_attribute: Attribute('The attribute with the nickname; "" for none.', 'name'),
  groups_attribute: Attribute('The attribute with the groups; "" for none.', 'groups'),
})
export type SamlFields = Static<typeof SamlFields>

import { Type } from '../../../values/type.ts'

const Attribute = (description: string, example: string) =>
  Type.String({ maxLength: 256, description: `SAML: ${description}`, examples: [example] })

/** The fields of a SAML connection that its administrator sends. */
export const samlFields = {
  metadata: Type.String({
    minLength: 1,
    maxLength: 262_144,
    description: 'SAML: the metadata of the provider, XML of one entity.',
    examples: ['<EntityDescriptor …'],
  }),
  metadata_url: Type.String({
    maxLength: 2048,
    description:
      'SAML: where the metadata stand, in their place; "" for nowhere. They are read at once, and looked at every 24 hours; the ' +
      'next write takes those of which managers were told.',
    examples: ['https://login.example.com/metadata'],
  }),
  subject: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'SAML: `name_id`, or the attribute that names a person for ever. It never changes.',
    examples: ['name_id'],
  }),
  email_attribute: Attribute('the attribute with the address.', 'email'),
  name_attribute: Attribute('the attribute with the nickname.', 'name'),
  groups_attribute: Attribute('the attribute with the groups.', 'groups'),
}

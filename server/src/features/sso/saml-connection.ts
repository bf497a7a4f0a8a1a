/** The fields of a connection of SAML, and the person that an answer names by them. */
import type { SamlAnswer } from './saml-response.ts'

/** `config` of a connection of SAML. The first three are read from the metadata. */
export interface SamlConfig {
  entity_id: string
  sso_url: string
  /** In base64, without the lines of PEM. */
  certificates: string[]
  /** `name_id`, or the attribute that names the person. */
  subject: string
  /** The names of attributes; "" for none. */
  email_attribute: string
  name_attribute: string
  groups_attribute: string
}

/** A person as a provider describes them. */
export interface SamlPerson {
  subject: string
  /** "" where there is no attribute, or not exactly one value. */
  email: string
  name: string
  /** Undefined where the attribute is missing: then roles stay as they are. */
  groups: string[] | undefined
  /** The names of all attributes. */
  claims: string[]
  /** ISO 8601; undefined where the provider sets no end. */
  sessionEndsAt: string | undefined
}

/** The person of an answer. Several addresses are none: the first could be anybody's. */
export const personOf = (
  { subject, attributes, sessionNotOnOrAfter }: SamlAnswer,
  { email_attribute: email, name_attribute: name, groups_attribute: groups }: SamlConfig,
): SamlPerson => {
  const only = (key: string): string => {
    const [value = '', ...others] = attributes.get(key) ?? []
    return others.length === 0 ? value : ''
  }
  return {
    subject,
    email: only(email),
    name: only(name),
    groups: attributes.get(groups),
    claims: [...attributes.keys()],
    sessionEndsAt: sessionNotOnOrAfter?.toISOString(),
  }
}

/** The fields of a SAML connection, and the person that an answer describes with these fields. */
import { isDeepStrictEqual } from 'node:util'
import { invalid } from '../../../errors/app-error.ts'
import { claimedBy, type AttributeMapping } from '../../configuration/attributes/filling.service.ts'
import type { AcceptedAnswer } from '../linking/persons.service.ts'
import { nameFrom } from '../../../protocols/person-names.ts'
import { metadataRefusals, readMetadata } from './saml-metadata.ts'
import type { SamlAnswer } from './saml-response.ts'

export interface SamlFields {
  metadata: string
  /** The address of the metadata, or "". */
  metadata_url: string
  /** `name_id`, or the name of the attribute with the person's id. */
  subject: string
  /** The names of attributes; "" for an unused one. */
  email_attribute: string
  name_attribute: string
  groups_attribute: string
}

/** The `config` of a SAML connection: its fields, and those read from its metadata. */
export interface SamlConfig extends SamlFields {
  entity_id: string
  sso_url: string
  binding: 'redirect' | 'post'
  wants_signed_requests: boolean
  /** In base64, without the lines of PEM. */
  certificates: string[]
  /** The first expiry of a certificate, in ISO 8601. Only notices use it: an expired certificate still verifies. */
  certificates_end_at: string
}

const warnedMs = 30 * 86_400_000

/** The `warn_at` of a connection: 30 days before its first certificate expires. */
export const warningOf = ({ certificates_end_at: end }: SamlConfig): Date =>
  new Date(Date.parse(end) - warnedMs)

/**
 * The configuration for the fields of a connection. `mayBrowse` decides whether browsers may open the address. Throws
 * 400 for unsafe metadata.
 */
export const samlConfigOf = (fields: SamlFields, mayBrowse: (address: URL) => boolean): SamlConfig => {
  const read = readMetadata(fields.metadata)
  if ('refused' in read) throw invalid('metadata', metadataRefusals[read.refused])
  if (!mayBrowse(new URL(read.ssoUrl))) throw invalid('metadata', 'The address for sign-in must be https.')
  return {
    ...fields,
    entity_id: read.entityId,
    sso_url: read.ssoUrl,
    binding: read.binding,
    wants_signed_requests: read.wantsSignedRequests,
    certificates: read.certificates,
    certificates_end_at: read.firstEnd.toISOString(),
  }
}

/** Whether two documents describe the same provider. Their times and signatures can differ. */
export const isSameProvider = (one: SamlConfig, other: SamlConfig): boolean =>
  isDeepStrictEqual({ ...one, metadata: '' }, { ...other, metadata: '' })

/**
 * The new configuration. Throws 400 for another entity or subject, because the links would then belong to other people.
 */
export const replacedSamlConfig = (before: SamlConfig, after: SamlConfig): SamlConfig => {
  if (after.entity_id !== before.entity_id) {
    throw invalid('metadata', 'Another entity needs a connection of its own. The entity never changes.')
  }
  if (after.subject !== before.subject) throw invalid('subject', 'must stay as it is: it never changes')
  return after.metadata_url !== '' && isSameProvider(before, after) ? before : after
}

const groupsMax = 500

/** Undefined if the attribute is missing, or has more than 500 values. */
const groupsOf = (values: string[] | undefined): string[] | undefined =>
  values && values.length <= groupsMax ? values.filter((one) => one.length <= 256) : undefined

/** The person of an answer. Several addresses count as no address, because the first one could be anybody's. */
export const personOf = (
  { subject, attributes, sessionNotOnOrAfter }: SamlAnswer,
  fields: SamlFields,
  mappings: AttributeMapping[],
): AcceptedAnswer => {
  const { email_attribute: email, name_attribute: name, groups_attribute: groups } = fields
  const only = (key: string): string => {
    const [value = '', ...others] = attributes.get(key) ?? []
    return others.length === 0 ? value.trim() : ''
  }
  const read = new Set([fields.subject, email, name, groups])
  return {
    person: {
      subject,
      email: only(email),
      name: nameFrom(only, name),
      groups: groupsOf(attributes.get(groups)),
      claimed: claimedBy(mappings, (claim) => attributes.get(claim)),
      sessionEndsAt: sessionNotOnOrAfter?.toISOString(),
    },
    claims: [...attributes].map(([key, values]) => ({ name: key, values: read.has(key) ? values : null })),
  }
}

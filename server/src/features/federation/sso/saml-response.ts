/**
 * Reads a SAML 2.0 response. All results come from verified bytes. The unverified Status and Destination can only cause
 * a refusal.
 */
import { readCertificate, strongKeyOf } from './saml-certificates.ts'
import type { SamlReason } from './reasons.ts'
import { SamlRefused } from './saml-refusal.ts'
import { readVerified } from './saml-signature.ts'
import {
  attributeOf,
  childOf,
  childrenOf,
  countBelow,
  elementsOf,
  parseXml,
  textOf,
  type XmlElement,
} from './saml-xml.ts'

export const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol'
export const assertionNamespace = 'urn:oasis:names:tc:SAML:2.0:assertion'
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const knownConditions = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']
const subjectMax = 255
const confirmationsMax = 10
const driftMilliseconds = 60_000
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/** The values that a response must match exactly. */
export interface Expectations {
  /** The entity id of this service in the connection. */
  entityId: string
  acsUrl: string
  /** The entity id of the provider. */
  issuer: string
  /** In base64, without the lines of PEM. */
  certificates: string[]
  /** `name_id`, or the name of the attribute with the person's id. */
  subject: string
  requestId: string
  now: Date
}

export interface SamlAnswer {
  subject: string
  /** The attributes with text values. A list of values can be empty. */
  attributes: Map<string, string[]>
  /** The end of the session that the provider sets. */
  sessionNotOnOrAfter: Date | undefined
}

const refuse = (reason: SamlReason): never => {
  throw new SamlRefused(reason)
}

/** The root of a posted `SAMLResponse`. Throws SamlRefused. */
const decode = (posted: string): XmlElement => {
  const base64 = posted.replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) refuse('malformed')
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    return refuse('malformed')
  }
  const root = parseXml(text)
  const isResponse = root.namespace === protocol && root.localName === 'Response'
  return isResponse ? root : refuse('malformed')
}

const only = (parent: XmlElement, localName: string, reason: SamlReason): XmlElement =>
  childOf(parent, assertionNamespace, localName) ?? refuse(reason)

/** The only assertion of a document. Throws SamlRefused if the document contains another one. */
const assertionIn = (root: XmlElement): XmlElement => {
  if (countBelow(root, 'EncryptedAssertion') > 0) refuse('encrypted')
  const [assertion] = childrenOf(root, assertionNamespace, 'Assertion')
  const isOnly = countBelow(root, 'Assertion') === 1
  return assertion && isOnly ? assertion : refuse('assertions')
}

/** Checks the parts that can be unsigned. They can only cause a refusal. */
const checkEnvelope = (root: XmlElement, { acsUrl }: Expectations): void => {
  const status = childOf(root, protocol, 'Status')
  const code = status && childOf(status, protocol, 'StatusCode')
  if (!code || attributeOf(code, 'Value') !== success) refuse('status')
  if ((attributeOf(root, 'Destination') ?? acsUrl) !== acsUrl) refuse('destination')
}

const readInstant = (text: string): Date => {
  const at = new Date(instant.test(text) ? text : Number.NaN)
  return Number.isNaN(at.getTime()) ? refuse('malformed') : at
}

const instantOf = (element: XmlElement, key: string): Date | undefined => {
  const text = attributeOf(element, key)
  return text === undefined ? undefined : readInstant(text)
}

const checkStart = (at: Date | undefined, { now }: Expectations): void => {
  if (at && now.getTime() < at.getTime() - driftMilliseconds) refuse('too_early')
}

const checkEnd = (at: Date | undefined, { now }: Expectations): void => {
  if (at && now.getTime() >= at.getTime() + driftMilliseconds) refuse('expired')
}

const checkConditions = (assertion: XmlElement, expected: Expectations): void => {
  const conditions = only(assertion, 'Conditions', 'condition')
  const start = instantOf(conditions, 'NotBefore')
  const end = instantOf(conditions, 'NotOnOrAfter')
  checkStart(start, expected)
  checkEnd(end ?? refuse('condition'), expected)
  const areKnown = elementsOf(conditions).every(
    ({ namespace, localName }) => namespace === assertionNamespace && knownConditions.includes(localName),
  )
  if (!areKnown) refuse('condition')
  const restrictions = childrenOf(conditions, assertionNamespace, 'AudienceRestriction')
  const areMet = restrictions.every((restriction) =>
    childrenOf(restriction, assertionNamespace, 'Audience').some((one) => textOf(one) === expected.entityId),
  )
  if (restrictions.length === 0 || !areMet) refuse('audience')
}

const checkConfirmation = (confirmation: XmlElement, expected: Expectations): void => {
  const data = only(confirmation, 'SubjectConfirmationData', 'confirmation')
  const end = instantOf(data, 'NotOnOrAfter')
  if (attributeOf(data, 'InResponseTo') !== expected.requestId) refuse('in_response_to')
  if (attributeOf(data, 'Recipient') !== expected.acsUrl) refuse('recipient')
  checkStart(instantOf(data, 'NotBefore'), expected)
  checkEnd(end ?? refuse('confirmation'), expected)
}

/** Throws SamlRefused unless one bearer confirmation is valid. Gives the reason of the last confirmation. */
const checkSubject = (subject: XmlElement, expected: Expectations): void => {
  const bearers = childrenOf(subject, assertionNamespace, 'SubjectConfirmation').filter(
    (one) => attributeOf(one, 'Method') === bearer,
  )
  if (bearers.length > confirmationsMax) refuse('confirmation')
  let refusal = new SamlRefused('confirmation')
  for (const one of bearers) {
    try {
      return checkConfirmation(one, expected)
    } catch (err) {
      if (!(err instanceof SamlRefused)) throw err
      refusal = err
    }
  }
  throw refusal
}

/** Attributes by name. Omits attributes with nested elements, which are not text. */
const attributesOf = (assertion: XmlElement): Map<string, string[]> => {
  const found = new Map<string, string[]>()
  const left = new Set<string>()
  const attributes = childrenOf(assertion, assertionNamespace, 'AttributeStatement').flatMap((statement) =>
    childrenOf(statement, assertionNamespace, 'Attribute'),
  )
  for (const attribute of attributes) {
    const name = attributeOf(attribute, 'Name') ?? ''
    const values = childrenOf(attribute, assertionNamespace, 'AttributeValue').map(textOf)
    if (values.includes(undefined)) left.add(name)
    const all = found.get(name) ?? []
    all.push(...values.filter((value) => value !== undefined))
    found.set(name, all)
  }
  for (const name of left) found.delete(name)
  return found
}

const sessionEndOf = (assertion: XmlElement, expected: Expectations): Date | undefined => {
  const ends = childrenOf(assertion, assertionNamespace, 'AuthnStatement').flatMap(
    (statement) => instantOf(statement, 'SessionNotOnOrAfter') ?? [],
  )
  const end = ends.toSorted((one, other) => one.getTime() - other.getTime())[0]
  checkEnd(end, expected)
  return end
}

/** Refuses a transient name, because it differs at each sign-in. */
const nameIdOf = (subject: XmlElement): string | undefined => {
  const nameId = childOf(subject, assertionNamespace, 'NameID')
  if (nameId && attributeOf(nameId, 'Format') === transient) refuse('transient')
  return nameId && textOf(nameId)
}

/** The only value that identifies the person. */
const chosenSubject = (values: (string | undefined)[] = []): string => {
  const [value = '', ...others] = values
  const isOne = others.length === 0 && value !== '' && value.length <= subjectMax
  return isOne ? value : refuse('subject')
}

const readAssertion = (assertion: XmlElement, expected: Expectations): SamlAnswer => {
  if (attributeOf(assertion, 'Version') !== '2.0') refuse('malformed')
  if (textOf(only(assertion, 'Issuer', 'issuer')) !== expected.issuer) refuse('issuer')
  checkConditions(assertion, expected)
  const subject = only(assertion, 'Subject', 'subject')
  checkSubject(subject, expected)
  const attributes = attributesOf(assertion)
  return {
    subject: chosenSubject(
      expected.subject === 'name_id' ? [nameIdOf(subject)] : attributes.get(expected.subject),
    ),
    attributes,
    sessionNotOnOrAfter: sessionEndOf(assertion, expected),
  }
}

const read = (root: XmlElement, expected: Expectations): SamlAnswer => {
  checkEnvelope(root, expected)
  const keys = expected.certificates.flatMap((one) => {
    const certificate = readCertificate(one)
    return (certificate && strongKeyOf(certificate)) ?? []
  })
  const verified = readVerified(root, assertionIn(root), keys)
  if (verified.localName === 'Assertion') return readAssertion(verified, expected)
  const issuer = childOf(verified, assertionNamespace, 'Issuer')
  if (issuer && textOf(issuer) !== expected.issuer) refuse('issuer')
  return readAssertion(assertionIn(verified), expected)
}

const orRefusal = <T>(reading: () => T): T | { refused: SamlReason } => {
  try {
    return reading()
  } catch (err) {
    if (err instanceof SamlRefused) return { refused: err.reason }
    throw err
  }
}

/**
 * An unverified response. Use its request id only to find the attempt. The id is undefined in an unsolicited response.
 */
export interface OpenedResponse {
  requestId: string | undefined
  root: XmlElement
}

/** Opens a posted `SAMLResponse`, or returns the reason of its refusal. */
export const openResponse = (posted: string): OpenedResponse | { refused: SamlReason } =>
  orRefusal(() => {
    const root = decode(posted)
    return { requestId: attributeOf(root, 'InResponseTo'), root }
  })

/** Verifies and reads a response, or returns the reason of its refusal. */
export const readResponse = (
  { root }: OpenedResponse,
  expected: Expectations,
): SamlAnswer | { refused: SamlReason } => orRefusal(() => read(root, expected))

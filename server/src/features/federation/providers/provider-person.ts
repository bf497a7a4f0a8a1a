/** The person of a provider's answer, by the rules of its kind (docs/contract.md, "Providers"). */
import { domainOf } from '../../../values/text.ts'
import { isSubject, Refused, textOf, type Claims } from '../../../protocols/oidc/code-flow.ts'
import { nameFrom } from '../../../protocols/person-names.ts'
import { isEmail } from '../../../values/formats.ts'
import type { ProviderConfig, ProviderKind } from './provider-config.ts'

export interface DescribedPerson {
  /** The person's permanent id at the provider. */
  subject: string
  /** "" if the provider names no address that an account can have. */
  email: string
  /** Whether the provider has proved the address. Any other address counts as typed. */
  isProved: boolean
  /** "" if the provider names none. */
  name: string
  /** The address or login, for the account's person. */
  label: string
}

/** The tenant of Microsoft's own accounts. */
const consumers = '9188040d-6c67-4c5b-b112-36a304b66dad'
const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const fitsTenant = (tid: string, tenant = ''): boolean => {
  if (tenant === 'common') return true
  if (tenant === 'organizations') return tid !== consumers
  return tid === (tenant === 'consumers' ? consumers : tenant)
}

/** A person keeps `oid` in all applications of a tenant, while `sub` differs for each application. */
const microsoftSubject = (claims: Claims, { tenant }: ProviderConfig): string => {
  const [tid, oid] = [textOf(claims['tid']), textOf(claims['oid'])]
  if (!guid.test(tid) || !guid.test(oid)) throw new Refused('subject_missing')
  if (!fitsTenant(tid, tenant)) throw new Refused('token_invalid')
  return `${tid}.${oid}`
}

const isTrue = (value: unknown): boolean => value === true || value === 'true'

/** Whether the claims prove the address. */
const proves: Record<Exclude<ProviderKind, 'github'>, (claims: Claims, config: ProviderConfig) => boolean> = {
  google: (claims) => {
    const domain = domainOf(textOf(claims['email']))
    return (
      claims['email_verified'] === true &&
      (domain === 'gmail.com' || textOf(claims['hd']).toLowerCase() === domain)
    )
  },
  microsoft: ({ xms_edov: edov }) => isTrue(edov) || edov === 1 || edov === '1',
  apple: (claims) => isTrue(claims['email_verified']),
  oidc: (claims, config) => config.trusts_email === true && claims['email_verified'] === true,
}

/** Whether every database can store the text. */
const isPlain = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text)

/** An address that an account can have, else "". */
const addressOf = (value: unknown): string => {
  const email = textOf(value).trim()
  return isPlain(email) && isEmail(email) ? email : ''
}

const labelMax = 254

/** The person without texts that an account cannot have. */
const described = (
  { subject, email, isProved, name }: Omit<DescribedPerson, 'label'>,
  login = '',
): DescribedPerson => {
  const label = email === '' ? login : email
  return {
    subject,
    email,
    isProved: isProved && email !== '',
    name,
    label: isPlain(label) ? label.slice(0, labelMax).toWellFormed() : '',
  }
}

/** The person of verified claims. Throws `Refused` for claims that identify nobody, or a person of a foreign tenant. */
export const personOfClaims = (
  { kind, config }: { kind: Exclude<ProviderKind, 'github'>; config: ProviderConfig },
  claims: Claims,
  postedName = '',
): DescribedPerson => {
  const subject = kind === 'microsoft' ? microsoftSubject(claims, config) : textOf(claims.sub)
  if (!isSubject(subject)) throw new Refused('subject_missing')
  return described({
    subject,
    email: addressOf(claims['email']),
    isProved: proves[kind](claims, config),
    name: nameFrom((key) => textOf(claims[key]), 'name') || postedName,
  })
}

/** The name that Apple posts once, unsigned. It gives a nickname, and never an address. */
export const postedNameOf = (user: string | null): string => {
  try {
    const { name } = JSON.parse(user ?? '{}') as { name?: { firstName?: unknown; lastName?: unknown } }
    return `${textOf(name?.firstName)} ${textOf(name?.lastName)}`.trim().slice(0, 128)
  } catch {
    return ''
  }
}

/** The person of GitHub's own API. Its addresses count as typed: they were verified once, perhaps long ago. */
export const personOfGitHub = (user: Claims, emails: unknown): DescribedPerson => {
  const { id } = user
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) throw new Refused('subject_missing')
  const all = Array.isArray(emails) ? (emails as { email?: unknown; primary?: unknown }[]) : []
  const primary = all.find((one) => one?.primary === true)
  const email = addressOf(primary?.email)
  const login = textOf(user['login'])
  return described({ subject: String(id), email, isProved: false, name: textOf(user['name']) }, login)
}

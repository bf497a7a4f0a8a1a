/** People as providers describe them, independent of the protocol. */
import { isEmail } from '../../../values/formats.ts'
import type { ClaimedValues } from '../../configuration/attributes/filling.service.ts'
import { nicknameOf } from './nickname.service.ts'

/** A person as a provider describes the person. */
export interface ProvidedPerson {
  /** The person's permanent id at the provider. */
  subject: string
  /** The address; "" if the provider sends none, or several. */
  email: string
  /** The name; "" if the provider sends none. */
  name: string
  /** The groups; undefined if the provider sends none. The roles then stay unchanged. */
  groups: string[] | undefined
  /** The claims that fill attributes. Attributes of other claims stay unchanged. */
  claimed: ClaimedValues
  /** The end of the session in ISO 8601; undefined if the provider sets none. */
  sessionEndsAt: string | undefined
}

/** Whether every database can store the text. */
const isPlain = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text)

/** The person without texts that an account cannot have. An invalid address counts as missing. */
export const plainPerson = ({ email, name, groups, ...person }: ProvidedPerson): ProvidedPerson => ({
  ...person,
  email: isPlain(email) && isEmail(email) ? email : '',
  name: nicknameOf(name),
  groups: groups?.filter(isPlain),
})

/** A claim that administrators see. Its values are null unless the connection reads the claim. */
export interface Claim {
  name: string
  values: string[] | null
}

export interface AcceptedAnswer {
  person: ProvidedPerson
  claims: Claim[]
}

/** Reasons to refuse the person of an accepted answer. */
export const personRefusals = {
  address_missing: 201,
  address_outside: 202,
  other_subject: 203,
  user_disabled: 204,
  nobody_known: 205,
  not_pushed: 206,
  factor_missing: 207,
  tenant_disabled: 208,
  connection_inactive: 209,
  limit_reached: 210,
} as const

export type PersonReason = keyof typeof personRefusals

/** How a person matched a user: known by subject, linked without a proof, linked after a proof, or created. */
export const personMatches = ['known', 'linked', 'proved', 'created'] as const
export type PersonMatch = (typeof personMatches)[number]

/** People as providers describe them. No protocol is known here. */
import { Value } from 'typebox/value'
import { Email } from '../../accounts/users/users.schemas.ts'
import { nicknameOf } from './nickname.ts'

/** A person as a provider describes them. */
export interface ProvidedPerson {
  /** Names the person at the provider for ever. */
  subject: string
  /** "" where the provider gives none, or several. */
  email: string
  /** "" where the provider gives none. */
  name: string
  /** Undefined where the provider says nothing of groups: then roles stay as they are. */
  groups: string[] | undefined
  /** ISO 8601; undefined where the provider sets no end. */
  sessionEndsAt: string | undefined
}

/** Whether no text of a database refuses it. */
const isPlain = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text)

/** The person without texts that a provider may send and no account can have. Such an address counts as none. */
export const plainPerson = ({ email, name, groups, ...person }: ProvidedPerson): ProvidedPerson => ({
  ...person,
  email: isPlain(email) && Value.Check(Email, email) ? email : '',
  name: nicknameOf(name),
  groups: groups?.filter(isPlain),
})

/** A claim for administrators: its values stand there where the connection reads it, else null. */
export interface Claim {
  name: string
  values: string[] | null
}

/** An accepted answer of a provider. */
export interface Provided {
  person: ProvidedPerson
  claims: Claim[]
}

/** Why the person of an accepted answer is refused. */
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
} as const

export type PersonReason = keyof typeof personRefusals

/** How a person was found: known by subject, linked without a proof, after one, or created. */
export const ways = ['known', 'linked', 'proved', 'created'] as const
export type Way = (typeof ways)[number]

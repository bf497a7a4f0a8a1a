/** The last sign-ins by a connection, for its administrators. */
import type { TransactionCtx } from '../../../context.ts'
import type { Claim, ProvidedPerson } from './persons.service.ts'
import * as store from './outcomes.store.ts'

/** docs/contract.md, "Enterprise sign-in". */
const keptMax = 200
/** The most stored claims, and the longest stored names and values. */
const claimsMax = 50
const nameMax = 128
const valuesMax = 20
const valueMax = 256

export interface SignInOutcome {
  outcome: 'signed_in' | 'proof' | 'refused' | 'test_passed' | 'test_failed'
  /** How the person matched a user, or the reason of the refusal. */
  reason: string
  /** The interaction of a test. */
  testId?: string | undefined
  /** Undefined if the provider's answer was refused. */
  person?: ProvidedPerson
  claims?: Claim[]
}

/** Replaces characters that no database stores, and shortens the text. */
const cut = (text: string, max: number): string =>
  [...text.toWellFormed().replaceAll(/\p{Cc}/gu, ' ')].slice(0, max).join('').slice(0, max).toWellFormed()

const kept = (claims: Claim[]): Claim[] =>
  claims.slice(0, claimsMax).map(({ name, values }) => ({
    name: cut(name, nameMax),
    values: values && values.slice(0, valuesMax).map((value) => cut(value, valueMax)),
  }))

/** Stores the outcome of a sign-in in its transaction, and keeps only the newest 200 of the connection. */
export const noteOutcome = (
  { db, tenantId, origin, parts }: TransactionCtx,
  connectionId: string,
  { outcome, reason, testId, person, claims = [] }: SignInOutcome,
): void => {
  store.insertOutcome(db, {
    tenantId,
    connectionId,
    at: parts.now(),
    outcome,
    reason,
    testId,
    subject: cut(person?.subject ?? '', 255),
    email: cut(person?.email ?? '', 254),
    claims: kept(claims),
    ip: origin.ip,
  })
  store.deleteSurplus(db, { tenantId, connectionId, kept: keptMax })
}

/** Challenges: random values, each of which one right answer uses up. */
import { randomBytes } from 'node:crypto'
import type { Ctx, TransactionCtx, EarlyCtx } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import * as store from './factors.store.ts'

/** docs/contract.md, "Second factors". */
const challengeMs = 5 * 60_000
const answersMax = 5
const challengeBytes = 32

type Purpose = Pick<store.NewChallenge, 'ceremony' | 'accountId' | 'sessionId' | 'askedTenant' | 'firstProof'>

/** Creates a challenge, as base64url. Lock its account first. */
export const createChallenge = (
  { db, parts }: Pick<TransactionCtx, 'db' | 'parts'>,
  purpose: Purpose,
): string => {
  const challenge = randomBytes(challengeBytes).toString('base64url')
  const expiresAt = new Date(parts.now().getTime() + challengeMs)
  store.insertChallenge(db, { ...purpose, hash: sha256(challenge), expiresAt })
  return challenge
}

/** The account and the requested tenant of a login's challenge. Undefined for a spent or expired challenge. */
export const findLoginChallenge = ({ db, parts }: Ctx, challenge: string) =>
  store.selectLoginChallenge(db, sha256(challenge), parts.now())

/**
 * Takes one of the five answers to a login's challenge. False for a spent or expired challenge. Lock the account first.
 */
export const takeAnswer = async ({ db, parts }: EarlyCtx, challenge: string): Promise<boolean> =>
  (await store.takeAnswer(db, { hash: sha256(challenge), answersMax, now: parts.now() })) !== undefined

/** Uses up a challenge after a right answer to it. */
export const spendChallenge = ({ db }: TransactionCtx, challenge: string): void =>
  store.deleteChallengeRow(db, sha256(challenge))

/** Creates the challenge of a sign-in that needs only a passkey. */
export const createPasskeyLogin = ({ parts }: Ctx): Promise<string> =>
  parts.store.transaction({}, async (db) =>
    createChallenge(
      { db, parts },
      { ceremony: 'passkey_login', accountId: null, sessionId: null, askedTenant: null },
    ),
  )

/** Uses up the challenge of a sign-in that needs only a passkey. False for a spent or expired challenge. */
export const spendPasskeyLogin = async ({ db, parts }: Ctx, challenge: string): Promise<boolean> =>
  (await store.deletePasskeyLogin(db, sha256(challenge), parts.now())) === 1

/** Uses up the challenge of a passkey that the session adds. False for a spent or expired challenge. */
export const spendPasskeyCreation = async (
  { db, parts }: Ctx,
  challenge: string,
  whose: { accountId: number; sessionId: string },
): Promise<boolean> =>
  (await store.deletePasskeyCreation(db, { ...whose, hash: sha256(challenge), now: parts.now() })) === 1

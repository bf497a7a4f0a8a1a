/** Proof of work against robots, by ALTCHA's libraries: the setting `auth.robots`. */
import { randomInt } from 'node:crypto'
import type { Ctx, Parts, TransactionCtx } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { sweep } from '../../../db/sweep.ts'
import { AppError } from '../../../errors/app-error.ts'
import { checkOf } from '../../../values/check.ts'
import { SolvedChallenge, type Challenge } from './robots.schemas.ts'
import * as store from './robots.store.ts'

/** 10 minutes. */
const challengeMs = 600_000

/**
 * A solver tries the counters from 0 on, and each costs 2,000 rounds of SHA-256. A phone of 2026 needs about a second.
 * The service makes one derivation for a challenge, and none for its verification.
 */
const algorithm = 'PBKDF2/SHA-256'
const cost = 2000
const counterMin = 500
const counterMax = 1000

/** Loaded when a challenge needs it. */
const loadAltcha = () => import('altcha/lib')

interface Keys {
  hmacSignatureSecret: string
  hmacKeySignatureSecret: string
}

/** The keys of challenges, one pair for each secret key. */
const keysOf = ({ secrets }: Pick<Parts, 'secrets'>): Keys[] => {
  const ofKeys = secrets.derive('keys of proof of work')
  return secrets
    .derive('proof of work')
    .map((hmacSignatureSecret, i) => ({ hmacSignatureSecret, hmacKeySignatureSecret: ofKeys[i] ?? '' }))
}

/** Signs a new challenge. Throws 503 `secretsOff` without a secret key. */
export const createChallenge = async ({ parts }: Ctx): Promise<Challenge> => {
  const [keys] = keysOf(parts)
  const altcha = await loadAltcha()
  const challenge = await altcha.createChallenge({
    algorithm,
    cost,
    counter: randomInt(counterMin, counterMax + 1),
    deriveKey: altcha.pbkdf2.deriveKey,
    expiresAt: new Date(parts.now().getTime() + challengeMs),
    ...keys,
  })
  return challenge as Challenge
}

export const readRobots = async ({ db }: Pick<Ctx, 'db'>): Promise<'off' | 'proof_of_work'> => {
  const stored = await store.selectRobots(db)
  return stored === undefined || stored.value === 'off' ? 'off' : 'proof_of_work'
}

/** Throws 503 `secretsOff` if the installation has no secret key, so that it could sign no challenge. */
export const applyRobots = async (ctx: TransactionCtx): Promise<void> => {
  if ((await readRobots(ctx)) !== 'off') keysOf(ctx.parts)
}

const isSolved = async ({ parts }: Ctx, { challenge, solution }: SolvedChallenge): Promise<boolean> => {
  if (challenge.parameters.expiresAt * 1000 <= parts.now().getTime()) return false
  const altcha = await loadAltcha()
  for (const keys of keysOf(parts)) {
    const { deriveKey } = altcha.pbkdf2
    const { verified } = await altcha.verifySolution({ challenge, solution, deriveKey, ...keys })
    if (verified) return true
  }
  return false
}

/** Spends a text that works once, in the database, which all replicas share. False for a second use. */
export const spendOnce = async ({ db }: Pick<Ctx, 'db'>, hash: Buffer, endsAt: Date): Promise<boolean> =>
  (await store.insertSpentChallenge(db, hash, endsAt)) === 1

const spend = (ctx: Ctx, { signature, parameters }: Challenge): Promise<boolean> =>
  spendOnce(ctx, sha256(signature), new Date(parameters.expiresAt * 1000))

const isSolvedChallenge = checkOf(SolvedChallenge)

/** The solved challenge in the text of a client. Undefined for another text. */
const readSolved = (text: string): SolvedChallenge | undefined => {
  try {
    const content: unknown = JSON.parse(Buffer.from(text, 'base64').toString())
    return isSolvedChallenge(content) ? content : undefined
  } catch {
    return undefined
  }
}

/**
 * Spends a solved challenge. Throws 400 unless it is one of this installation, solved in time and used for the first
 * time.
 */
export const requireWork = async (ctx: Ctx, altcha = ''): Promise<void> => {
  const solved = readSolved(altcha)
  if (solved && (await isSolved(ctx, solved)) && (await spend(ctx, solved.challenge))) return
  throw new AppError('workNeeded', 'Solve a new challenge of GET /auth/challenge, and send it as altcha')
}

/**
 * Deletes spent challenges 10 minutes after their end. A replica whose clock is behind must not take them again.
 */
export const sweepSpentChallenges = ({ store: database, now }: Pick<Parts, 'store' | 'now'>): Promise<void> =>
  sweep(database, store.oldSpentChallenges(new Date(now().getTime() - challengeMs)))

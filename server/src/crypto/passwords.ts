import { createHmac, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'
import { hash, verify } from '@node-rs/bcrypt'
import PQueue from 'p-queue'
import { AppError } from '../errors/app-error.ts'
import { follow, hashStep } from '../traced-steps.ts'
import { readForeign } from './foreign-hashes.ts'
import type { OpenHashKey } from './hash-keys.ts'
import { createRoom } from './memory-room.ts'

/** The method that made a stored hash. The column `password_scheme` describes each method. */
export type PasswordScheme = 'bcrypt' | 'hmac-bcrypt' | 'foreign' | 'none'

export interface StoredPassword {
  password_hash: string
  password_scheme: PasswordScheme
}

export interface Hasher {
  /** Throws 503 if the queue is full. Callers check this first, so that a refused request causes no further work. */
  requireRoom(): void
  /** Hashes a new password. Throws 503 if the queue is full or the wait is too long. */
  hash(password: string): Promise<StoredPassword>
  /**
   * Compares the password with the stored hash. Takes equally long for an unknown account, for which `find` returns
   * undefined. `find` runs at the hash's turn, so that waiting and refused requests run no statement.
   */
  verify(password: string, find: () => Promise<StoredPassword | undefined>): Promise<boolean>
  /** True if a verified hash should be replaced: another system made it, or it has another cost. */
  isOutdated(stored: StoredPassword): boolean
  stats(): { running: number; waiting: number }
}

/** bcrypt reads only 72 bytes (docs/contract.md, "Authentication"). */
const bcryptBytes = 72
/** A stored hash: "$2b$", the cost, "$", 22 characters of salt, the rest. */
const storedPattern = /^\$2[abxy]\$(\d\d)\$([./A-Za-z0-9]{22})/
/** The highest cost of a hash. Its hash takes seconds, and each increment doubles the time. */
export const hashCostMax = 15
const saltBytes = 16
/** bcrypt's base64 has its own alphabet. */
const bcryptAlphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** The longest wait in the queue. The caller then gets 503. */
const queueDeadlineMs = 5000
/**
 * The longest queue. At cost 12 one hash takes about 0.2 s on a free core, so a longer queue could not meet the
 * deadline.
 */
const queueLength = 100

/** Normalizes a password: a Mac and a telephone encode the same characters differently (NIST SP 800-63B, 3.1.1.2). */
const normal = (password: string): string => password.normalize('NFKC')

const byteLength = (password: string) => Buffer.byteLength(password, 'utf8')

const saltOf = (storedHash: string): Buffer => {
  const [, , salt = ''] = storedPattern.exec(storedHash) ?? []
  return Buffer.from([...salt].map((char) => base64Alphabet[bcryptAlphabet.indexOf(char)]).join(''), 'base64')
}

const costOf = (storedHash: string): number => Number(storedPattern.exec(storedHash)?.[1])

/**
 * Prepares a password of more than 72 bytes for bcrypt. The result is its HMAC-SHA-256, keyed with this hash's salt, in
 * base64 (44 bytes, no NUL). The salt makes a leaked plain SHA-256 of the password useless.
 */
const condense = (password: string, salt: Buffer) =>
  createHmac('sha256', salt).update(password, 'utf8').digest('base64')

const hashNow = async (password: string, cost: number): Promise<StoredPassword> => {
  const salt = randomBytes(saltBytes)
  return byteLength(password) > bcryptBytes
    ? { password_hash: await hash(condense(password, salt), cost, salt), password_scheme: 'hmac-bcrypt' }
    : { password_hash: await hash(password, cost, salt), password_scheme: 'bcrypt' }
}

/** The memory of all concurrent hashes of other systems in this process: docs/importing-users.md. */
const foreignBytesMax = 512 * 1024 * 1024

const noKey = Buffer.alloc(0)

/** False for a wrong password. Undefined for a text that is no hash, or whose secret key the service lacks. */
const verifyForeign = async (
  password: string,
  text: string,
  { openKey, inRoom }: VerifyInputs,
): Promise<boolean | undefined> => {
  const foreign = readForeign(text)
  if (!foreign) return undefined
  const key = foreign.keyId === undefined ? noKey : await openKey(foreign.keyId)
  return key && inRoom(foreign.memoryBytes, () => foreign.verify(password, key))
}

const verifyOwn = async (password: string, stored: StoredPassword): Promise<boolean> => {
  const input =
    stored.password_scheme === 'hmac-bcrypt' ? condense(password, saltOf(stored.password_hash)) : password
  const matches = await verify(input, stored.password_hash)
  // A plain bcrypt hash covers at most 72 bytes. If a longer password matches, only its beginning is the same.
  return matches && !(stored.password_scheme === 'bcrypt' && byteLength(password) > bcryptBytes)
}

interface VerifyInputs {
  /** The hash that is verified for an unknown account. */
  unknownAccount: StoredPassword
  /** Decrypts the secret keys of other systems' hashes. */
  openKey: OpenHashKey
  /** Runs work as soon as its memory is free. */
  inRoom: ReturnType<typeof createRoom>
}

/** An account without a usable hash takes as long as an unknown account. */
const verifyForm = async (
  password: string,
  stored: StoredPassword | undefined,
  inputs: VerifyInputs,
): Promise<boolean> => {
  if (stored?.password_scheme === 'foreign') {
    const matches = await verifyForeign(password, stored.password_hash, inputs)
    if (matches !== undefined) return matches
  } else if (stored && stored.password_scheme !== 'none') {
    return verifyOwn(password, stored)
  }
  await verifyOwn(password, inputs.unknownAccount)
  return false
}

/** Tries the normalized password, then the original text, because another system may have hashed the latter. */
const verifyNow = async (
  password: string,
  stored: StoredPassword | undefined,
  inputs: VerifyInputs,
): Promise<boolean> => {
  for (const form of new Set([normal(password), password])) {
    if (await verifyForm(form, stored, inputs)) return true
  }
  return false
}

/** Thrown before any work, so that a client can repeat even a write. */
const overloaded = () =>
  new AppError('overloaded', 'Too many sign-ins at the moment. Try again in a few seconds', {
    retryAfterSeconds: 5,
  })

/** The priority that makes requests go first: on a contended core, hashing gets a tenth. */
const hashingNice = 10

const threadsNamed = (prefix: string): number[] =>
  readdirSync('/proc/self/task')
    .filter((thread) => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').startsWith(prefix))
    .map(Number)

/**
 * Lowers the priority of the hashing threads below all others, so that requests run first on a busy machine. Only
 * Linux has priorities per thread; returns false elsewhere. The threads exist after the first hash.
 */
const lowerHashingPriority = (): boolean => {
  if (process.platform !== 'linux') return false
  try {
    for (const thread of threadsNamed('libuv-worker')) setPriority(thread, hashingNice)
    return true
  } catch {
    return false // /proc is missing, or the thread has just ended
  }
}

/** libuv's pool has four threads by default. One remains for signing tokens and reading files. */
const hashesMax = 3

/**
 * Concurrent hashes of each worker, at least one. They use all cores if the threads have a low priority. Otherwise one
 * core stays free, because reads would wait five times as long.
 */
export const hashesAtOnce = (cores: number, workers: number): number =>
  Math.min(hashesMax, Math.max(1, Math.floor(cores / workers)))

const followed = <T>(work: () => Promise<T>): Promise<T> => follow(hashStep, () => ({}), work)

const noKeys: OpenHashKey = async () => undefined

/** Hashes outside the event loop, behind a bounded queue with a deadline. */
export const createHasher = async (cost: number, workers = 1, openKey = noKeys): Promise<Hasher> => {
  const inputs: VerifyInputs = {
    unknownAccount: await hashNow('no account has this password', cost),
    openKey,
    inRoom: createRoom(foreignBytesMax),
  }
  const cores = lowerHashingPriority() ? availableParallelism() : availableParallelism() - 1
  const queue = new PQueue({ concurrency: hashesAtOnce(cores, workers) })

  const requireRoom = () => {
    if (queue.size >= queueLength) throw overloaded()
  }

  const enqueue = async <T>(work: () => Promise<T>): Promise<T> => {
    requireRoom()
    const waiting = new AbortController()
    // The deadline rejects a waiting hash at once, not at its turn: on a busy machine the running hashes take longer.
    const deadline = setTimeout(() => waiting.abort(overloaded()), queueDeadlineMs)
    const begin = () => {
      clearTimeout(deadline)
      return work()
    }
    return queue.add(begin, { signal: waiting.signal })
  }

  return {
    requireRoom,
    hash: (password) => enqueue(() => followed(() => hashNow(normal(password), cost))),
    verify: (password, find) =>
      enqueue(async () => {
        const stored = await find()
        return followed(() => verifyNow(password, stored, inputs))
      }),
    isOutdated: (stored) => stored.password_scheme === 'foreign' || costOf(stored.password_hash) !== cost,
    stats: () => ({ running: queue.pending, waiting: queue.size }),
  }
}

import { createHmac, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'
import { hash, verify } from '@node-rs/bcrypt'
import PQueue from 'p-queue'
import { AppError } from '../errors.ts'

/** How a stored hash was made; see the column of that name in the schema. */
export type PasswordScheme = 'bcrypt' | 'hmac-bcrypt' | 'foreign-bcrypt'

export interface StoredPassword {
  password_hash: string
  password_scheme: PasswordScheme
}

export interface Hasher {
  /** Throws 503 when the queue is full: asked first, so that what will be refused costs nothing more. */
  requireRoom(): void
  /** Hashes a new password. Throws 503 when the queue is full or the wait too long. */
  hash(password: string): Promise<StoredPassword>
  /**
   * Whether the password is the stored one; takes as long without one (`undefined`: unknown account). `find` looks it
   * up when its turn has come: those who wait, or are refused, cost no statement.
   */
  verify(password: string, find: () => Promise<StoredPassword | undefined>): Promise<boolean>
  /** Whether a hash that verified this password should be replaced: its cost differs, or not all of the password counts. */
  isOutdated(password: string, stored: StoredPassword): boolean
  /** For the metrics: hashes that run, and that wait. */
  stats(): { running: number; waiting: number }
}

/** bcrypt looks at 72 bytes only (contract: Authentication). */
const bcryptBytes = 72
/** A stored hash: "$2b$", the cost, "$", 22 characters of salt, the rest. */
const storedPattern = /^\$2[abxy]\$(\d\d)\$([./A-Za-z0-9]{22})/
const saltBytes = 16
/** bcrypt writes base64 in an alphabet of its own. */
const bcryptAlphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** How long a hash may wait for its turn before the caller is told to come back. */
const queueDeadlineMs = 5000
/** At cost 12 one hash takes about 0.2 s: more waiting than this could not meet the deadline anyway. */
const queueLength = 100

const byteLength = (password: string) => Buffer.byteLength(password, 'utf8')

const saltOf = (storedHash: string): Buffer => {
  const [, , salt = ''] = storedPattern.exec(storedHash) ?? []
  return Buffer.from([...salt].map((char) => base64Alphabet[bcryptAlphabet.indexOf(char)]).join(''), 'base64')
}

const costOf = (storedHash: string): number => Number(storedPattern.exec(storedHash)?.[1])

/**
 * What bcrypt is given for a password of more than 72 bytes: all of it, through HMAC-SHA-256 keyed with the salt of
 * this very hash (so that a plain SHA-256 of the password, leaked elsewhere, is no help), in base64 (44 bytes, no NUL).
 */
const condense = (password: string, salt: Buffer) =>
  createHmac('sha256', salt).update(password, 'utf8').digest('base64')

const hashNow = async (password: string, cost: number): Promise<StoredPassword> => {
  const salt = randomBytes(saltBytes)
  return byteLength(password) > bcryptBytes
    ? { password_hash: await hash(condense(password, salt), cost, salt), password_scheme: 'hmac-bcrypt' }
    : { password_hash: await hash(password, cost, salt), password_scheme: 'bcrypt' }
}

const verifyNow = async (password: string, stored: StoredPassword): Promise<boolean> => {
  const input =
    stored.password_scheme === 'hmac-bcrypt' ? condense(password, saltOf(stored.password_hash)) : password
  const matches = await verify(input, stored.password_hash)
  // A hash of ours without HMAC is of at most 72 bytes: a longer password only shares its beginning.
  return matches && !(stored.password_scheme === 'bcrypt' && byteLength(password) > bcryptBytes)
}

/** Before anything was done: clients send even a write again. */
const overloaded = () =>
  new AppError('overloaded', 'Too many sign-ins at the moment. Try again in a few seconds', {
    retryAfterSeconds: 5,
  })

/** Enough for requests to go first, and for hashes still to get a tenth of a core that is fought over. */
const hashingNice = 10

const threadsNamed = (prefix: string): number[] =>
  readdirSync('/proc/self/task')
    .filter((thread) => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').startsWith(prefix))
    .map(Number)

/**
 * Puts the threads that hash behind all others: with more to do than cores, requests go first. Linux alone counts
 * priority by thread; elsewhere, and where it cannot be had, all are equal (false). The threads exist since the first hash.
 */
const letRequestsGoFirst = (): boolean => {
  if (process.platform !== 'linux') return false
  try {
    for (const thread of threadsNamed('libuv-worker')) setPriority(thread, hashingNice)
    return true
  } catch {
    return false // without /proc, or a thread ended just now
  }
}

/** libuv's pool has four threads unless told otherwise; one is left to sign tokens and read files. */
const hashesMax = 3

/**
 * How many hashes one of so many workers runs at once; each runs one at least. `cores`: all where hashing yields to
 * requests; elsewhere all but one, or reads would wait five times as long.
 */
export const hashesAtOnce = (cores: number, workers: number): number =>
  Math.min(hashesMax, Math.max(1, Math.floor(cores / workers)))

/** bcrypt off the event loop, behind a bounded queue with a deadline. */
export const createHasher = async (cost: number, workers = 1): Promise<Hasher> => {
  const unknownAccount = await hashNow('no account has this password', cost)
  const cores = letRequestsGoFirst() ? availableParallelism() : availableParallelism() - 1
  const queue = new PQueue({ concurrency: hashesAtOnce(cores, workers) })

  const requireRoom = () => {
    if (queue.size >= queueLength) throw overloaded()
  }

  const enqueue = async <T>(work: () => Promise<T>): Promise<T> => {
    requireRoom()
    const enqueuedAt = performance.now()
    return queue.add(() => {
      if (performance.now() - enqueuedAt > queueDeadlineMs) throw overloaded()
      return work()
    })
  }

  return {
    requireRoom,
    hash: (password) => enqueue(() => hashNow(password, cost)),
    verify: (password, find) =>
      enqueue(async () => {
        const stored = await find()
        const matches = await verifyNow(password, stored ?? unknownAccount)
        return matches && stored !== undefined
      }),
    isOutdated: (password, stored) =>
      costOf(stored.password_hash) !== cost ||
      (stored.password_scheme === 'foreign-bcrypt' && byteLength(password) > bcryptBytes),
    stats: () => ({ running: queue.pending, waiting: queue.size }),
  }
}

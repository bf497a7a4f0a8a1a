import { createMemory } from './memory.ts'
import type { Claims } from './tokens.ts'

/** Names what the guard forgets: everything that matches all given fields. */
export interface Forgotten {
  tenantId?: string
  userId?: number
  sessionId?: string
}

const matches = ({ claims }: { claims: Claims }, forgotten: Forgotten): boolean =>
  (forgotten.tenantId ?? claims.tenantId) === claims.tenantId &&
  (forgotten.userId ?? claims.userId) === claims.userId &&
  (forgotten.sessionId ?? claims.sessionId) === claims.sessionId

/** Users of two tenants can have the same id: an imported tenant keeps its ids. */
const keyOf = ({ tenantId, userId, sessionId }: Claims): string => `${tenantId} ${userId} ${sessionId}`

export interface Answers<T> {
  /** The answer about the session of a token. Equal questions at one moment are one request. */
  of: (claims: Claims) => Promise<T>
  forget: (forgotten: Forgotten) => void
}

/** Remembers the answers of Tenantry about sessions for 1.5 seconds at most. */
export const createAnswers = <T>(ask: (claims: Claims) => Promise<T>): Answers<T> => {
  const memory = createMemory<{ claims: Claims; answer: Promise<T> }>()

  /** The time of the memory runs from the question on: the answer may be as old. */
  const askAndRemember = (claims: Claims): Promise<T> => {
    const entry = { claims, answer: ask(claims) }
    memory.set(keyOf(claims), entry)
    entry.answer.catch(() => memory.forget((one) => one === entry))
    return entry.answer
  }

  return {
    of: (claims) => memory.get(keyOf(claims))?.answer ?? askAndRemember(claims),
    forget: (forgotten) => memory.forget((entry) => matches(entry, forgotten)),
  }
}

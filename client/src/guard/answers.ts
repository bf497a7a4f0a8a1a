import { createMemory } from './memory.ts'
import type { Claims } from './tokens.ts'

/** Selects remembered answers: those that match all given fields. An empty object selects all. */
export interface Forgotten {
  tenantId?: string
  userId?: number
  sessionId?: string
}

const matches = ({ claims }: { claims: Claims }, forgotten: Forgotten): boolean =>
  (forgotten.tenantId ?? claims.tenantId) === claims.tenantId &&
  (forgotten.userId ?? claims.userId) === claims.userId &&
  (forgotten.sessionId ?? claims.sessionId) === claims.sessionId

/**
 * The user's id does not suffice: users of two tenants can have the same id, since an imported tenant keeps its ids.
 */
const keyOf = ({ tenantId, userId, sessionId }: Claims): string => `${tenantId} ${userId} ${sessionId}`

export interface Answers<T> {
  /** The answer for the session of a token. Concurrent questions about one session share one request. */
  of: (claims: Claims) => Promise<T>
  forget: (forgotten: Forgotten) => void
}

/** Caches Tenantry's answers about sessions for at most 1.5 seconds. */
export const createAnswers = <T>(ask: (claims: Claims) => Promise<T>): Answers<T> => {
  const memory = createMemory<{ claims: Claims; answer: Promise<T> }>()

  /** The 1.5 seconds begin with the question: Tenantry may have read its data any time after that. */
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

import { keyStart, readKeyText } from '../crypto/access-keys.ts'
import type { Tokens } from '../crypto/tokens.ts'

/**
 * A caller's proof of identity, by kind. A further kind is a member of this union, a branch of `readCredential` and an
 * entry of `holderQueries` in caller.store.ts, where the compiler asks for it. Services, limits, presence and audit records
 * know only the caller.
 */
export interface Credential {
  kind: 'session' | 'key'
  /** The id of the session, or the hash of the key. */
  id: string
}

/** The user or service account that a credential names. Only `selectCaller` tells whether the credential still stands. */
export interface Caller {
  tenantId: string
  userId: number
  credential: Credential
  /** When the token ends; undefined for a key, whose end the database knows. */
  endsAt?: Date
}

/** The caller that a bearer's text names; undefined for a text that is no valid credential. */
export const readCredential = async (
  tokens: Tokens,
  text: string,
  now: Date,
): Promise<Caller | undefined> => {
  if (text.startsWith(keyStart)) return readKey(text)
  const claims = await tokens.verify('access', text, now)
  if (!claims) return undefined
  const { tenantId, userId, sessionId, expiresAt } = claims
  return {
    tenantId,
    userId,
    credential: { kind: 'session', id: sessionId },
    endsAt: new Date(expiresAt * 1000),
  }
}

const readKey = (text: string): Caller | undefined => {
  const key = readKeyText(text)
  return key && { tenantId: key.tenantId, userId: key.accountId, credential: { kind: 'key', id: key.hash } }
}

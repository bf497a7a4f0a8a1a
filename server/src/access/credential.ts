import { keyStart, readKeyText } from '../crypto/access-keys.ts'
import type { Claims, Tokens } from '../crypto/tokens.ts'

/**
 * A caller's proof of identity, by kind. A new kind needs a member of this union, a branch of `readCredential` and an
 * entry of `holderQueries` in caller.store.ts. The compiler asks for the last one. Services, limits, presence and
 * audit records know only the caller.
 */
export interface Credential {
  /**
   * `issued`: a token that a service account got for one of its keys. `sign_in`: a browser's sign-in, which only the
   * sign-in pages use.
   */
  kind: 'session' | 'key' | 'issued' | 'sign_in'
  /** The id of the session or the sign-in, the hash of the key, or the id of the key that a token was issued for. */
  id: string
  /** The permissions that the request for a key's token named; undefined for all. */
  narrowedTo?: string[]
}

/**
 * The user or service account that a credential names. Only `readCaller` checks whether the credential is still
 * valid.
 */
export interface Caller {
  tenantId: string
  userId: number
  credential: Credential
  /** The expiry of the token. Undefined for a key, because the database has a key's expiry. */
  endsAt?: Date
}

/** Reads a bearer's text. Undefined if it is not a valid credential for this API. */
export const readCredential = async (
  tokens: Tokens,
  text: string,
  now: Date,
): Promise<Caller | undefined> => {
  if (text.startsWith(keyStart)) return readKey(text)
  const claims = await tokens.verify('access', text, now)
  return claims && callerOfToken(claims)
}

/** Reads a bearer's text like `readCredential`, and accepts an access token of any audience. */
export const readAnyCredential = async (
  tokens: Tokens,
  text: string,
  now: Date,
): Promise<Caller | undefined> => {
  const claims = text.startsWith(keyStart) ? undefined : await tokens.verify('any_access', text, now)
  return claims ? callerOfToken(claims) : readCredential(tokens, text, now)
}

export const callerOfToken = (claims: Claims): Caller => {
  const { tenantId, userId, expiresAt } = claims
  return { tenantId, userId, credential: credentialOf(claims), endsAt: new Date(expiresAt * 1000) }
}

/** The prefix of the session ids in tokens for keys. */
export const issuedStart = 'key_'

const credentialOf = ({ sessionId, scope }: Claims): Credential => {
  if (!sessionId.startsWith(issuedStart)) return { kind: 'session', id: sessionId }
  const id = sessionId.slice(issuedStart.length)
  return scope === '' ? { kind: 'issued', id } : { kind: 'issued', id, narrowedTo: scope.split(' ') }
}

const readKey = (text: string): Caller | undefined => {
  const key = readKeyText(text)
  return key && { tenantId: key.tenantId, userId: key.accountId, credential: { kind: 'key', id: key.hash } }
}

import { keyStart, readKeyText } from '../crypto/access-keys.ts'
import type { Claims, Tokens } from '../crypto/tokens.ts'

/**
 * A caller's proof of identity, by kind. A further kind is a member of this union, a branch of `readCredential` and an
 * entry of `holderQueries` in caller.store.ts, where the compiler asks for it. Services, limits, presence and audit records
 * know only the caller.
 */
export interface Credential {
  /**
   * `issued`: a token that a service account got for one of its keys. `sign_in`: the sign-in of a browser, which only the
   * pages of the sign-in use.
   */
  kind: 'session' | 'key' | 'issued' | 'sign_in'
  /** The id of the session or the sign-in, the hash of the key, or the id of the key behind a token. */
  id: string
  /** Of a token for a key: the permissions that it was asked for; undefined for all. */
  narrowedTo?: string[]
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
  return claims && callerOfToken(claims)
}

/** The same for an access token of any audience. */
export const readAnyCredential = async (
  tokens: Tokens,
  text: string,
  now: Date,
): Promise<Caller | undefined> => {
  const claims = text.startsWith(keyStart) ? undefined : await tokens.verify('any_access', text, now)
  return claims ? callerOfToken(claims) : readCredential(tokens, text, now)
}

/** The caller that a verified access token names. */
export const callerOfToken = (claims: Claims): Caller => {
  const { tenantId, userId, expiresAt } = claims
  return { tenantId, userId, credential: credentialOf(claims), endsAt: new Date(expiresAt * 1000) }
}

/** The session ids of tokens for keys begin so. */
export const issuedStart = 'key_'

/** The credential that a token stands for. */
const credentialOf = ({ sessionId, scope }: Claims): Credential => {
  if (!sessionId.startsWith(issuedStart)) return { kind: 'session', id: sessionId }
  const id = sessionId.slice(issuedStart.length)
  return scope === '' ? { kind: 'issued', id } : { kind: 'issued', id, narrowedTo: scope.split(' ') }
}

const readKey = (text: string): Caller | undefined => {
  const key = readKeyText(text)
  return key && { tenantId: key.tenantId, userId: key.accountId, credential: { kind: 'key', id: key.hash } }
}

import { keyStart, readKeyText } from '../crypto/access-keys.ts'
import { guestStart, readTenantToken } from '../crypto/tenant-tokens.ts'
import type { Claims, Tokens } from '../crypto/tokens.ts'

/**
 * A caller's proof of identity, by kind. A new kind needs a member of this union, a branch of `readCredential` and an
 * entry of `holderQueries` in caller.store.ts. The compiler asks for the last one. Services, limits, presence and
 * audit records know only the caller.
 */
export interface Credential {
  /**
   * `issued`: a token that a service account got for one of its keys. `sign_in`: a browser's sign-in, which only the
   * sign-in pages use. `guest`: the token of a guest of a setup link. `support`: the token of a support session.
   */
  kind: 'session' | 'key' | 'issued' | 'sign_in' | 'guest' | 'support'
  /**
   * The id of the session or the sign-in, or of the key that a token was issued for. For a key and a guest, the hash of
   * the text.
   */
  id: string
  /** The permissions that the request for a key's token named; undefined for all. */
  narrowedTo?: string[]
  /** The session of an application that a support session opened; undefined for every other credential. */
  openingId?: string
  /** Set in a request of an assistant, whose token works at `/mcp` alone. */
  via?: 'mcp'
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
  if (text.startsWith(guestStart)) return readGuestToken(text)
  const claims = await tokens.verify('access', text, now)
  return claims ? callerOfToken(claims) : readSupportToken(tokens, text, now)
}

const readSupportToken = async (tokens: Tokens, text: string, now: Date): Promise<Caller | undefined> => {
  const claims = await tokens.verify('support', text, now)
  if (!claims) return undefined
  const { tenantId, userId, sessionId, expiresAt } = claims
  const credential: Credential = { kind: 'support', id: sessionId }
  return { tenantId, userId, credential, endsAt: new Date(expiresAt * 1000) }
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

/**
 * Reads the bearer's text of an assistant: an access token for the audience `audience`, or the key of a service account.
 */
export const readAssistantCredential = async (
  tokens: Tokens,
  text: string,
  now: Date,
  audience: string,
): Promise<Caller | undefined> => {
  if (text.startsWith(keyStart)) return viaMcp(readKey(text))
  const claims = await tokens.verify('any_access', text, now)
  return claims?.audience === audience ? viaMcp(callerOfToken(claims)) : undefined
}

const viaMcp = (caller: Caller | undefined): Caller | undefined =>
  caller && { ...caller, credential: { ...caller.credential, via: 'mcp' } }

export const callerOfToken = (claims: Claims): Caller => {
  const { tenantId, userId, expiresAt } = claims
  return { tenantId, userId, credential: credentialOf(claims), endsAt: new Date(expiresAt * 1000) }
}

/** The prefix of the session ids in tokens for keys. */
export const issuedStart = 'key_'

const credentialOf = ({ sessionId, scope, supportId }: Claims): Credential => {
  if (supportId !== undefined) return { kind: 'support', id: supportId, openingId: sessionId }
  if (!sessionId.startsWith(issuedStart)) return { kind: 'session', id: sessionId }
  const id = sessionId.slice(issuedStart.length)
  return scope === '' ? { kind: 'issued', id } : { kind: 'issued', id, narrowedTo: scope.split(' ') }
}

const readGuestToken = (text: string): Caller | undefined => {
  const read = readTenantToken(text.slice(guestStart.length))
  return (
    read && {
      tenantId: read.tenantId,
      userId: 0,
      credential: { kind: 'guest', id: read.tokenHash.toString('hex') },
    }
  )
}

const readKey = (text: string): Caller | undefined => {
  const key = readKeyText(text)
  return key && { tenantId: key.tenantId, userId: key.accountId, credential: { kind: 'key', id: key.hash } }
}

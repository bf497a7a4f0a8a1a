/** Proof keys of code exchanges (RFC 7636). */
import { sha256 } from './sha256.ts'

export const verifierPattern = /^[\w.~-]{43,128}$/

/** The challenge of a verifier by the method S256. */
export const challengeOf = (verifier: string): string => sha256(verifier).toString('base64url')

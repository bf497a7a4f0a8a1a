/** The proof of a provider among the proofs of a session (`amr`, RFC 8176). It names the identity, for reach.sql.ts. */

const prefix = 'fed:'

export type FederatedProof = `fed:${string}`

export const federatedProof = (identityId: string): FederatedProof => `${prefix}${identityId}`

/** The id of the identity that opened a session. Undefined for another way. */
export const identityOf = (amr: readonly string[]): string | undefined =>
  amr.find((one) => one.startsWith(prefix))?.slice(prefix.length)

/** The proofs as tokens and answers show them, without the identity. */
export const shownAmr = (amr: readonly string[]): string[] =>
  amr.map((one) => (one.startsWith(prefix) ? 'fed' : one))

/** An assistant's session lacks scopes that a call needs (RFC 6750, 3.1). */
export class ScopeError extends Error {
  readonly scopes: readonly string[]

  constructor(scopes: readonly string[]) {
    super('The session may not do this. Ask the person for the scopes')
    this.scopes = scopes
  }
}

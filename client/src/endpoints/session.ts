import type { SessionHolder } from '../session/session.ts'

/** The session of this client. */
export const sessionEndpoints = (session: SessionHolder) => ({
  /**
   * Signs out: forgets the tokens in all tabs that share them, calls `onSignedOut`, and ends the session at the service.
   * A running refresh does not bring the session back. If the service cannot be reached within 5 seconds, the tokens are
   * gone all the same, and a copied refresh token stays valid for up to 7 days.
   *
   * @throws ApiError `storage`: the tokens may still be stored
   * @example
   * await client.session.logout()
   */
  logout: () => session.end(),
})

import { createAuthenticatorAt, type Authenticator } from '../../prove/authenticator.ts'
import { parts } from './harness.ts'

export type { Authenticator, Deceit } from '../../prove/authenticator.ts'

/** An authenticator in a browser that shows the console of this installation. */
export const createAuthenticator = (): Authenticator =>
  createAuthenticatorAt(new URL(parts.config.publicUrl).origin)

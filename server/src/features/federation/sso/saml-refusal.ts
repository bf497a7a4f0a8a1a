import type { SamlReason } from './reasons.ts'

/** Thrown inside the readers of SAML. Their exported functions return the reason instead. */
export class SamlRefused extends Error {
  override readonly name = 'SamlRefused'
  readonly reason: SamlReason

  constructor(reason: SamlReason) {
    super(reason)
    this.reason = reason
  }
}

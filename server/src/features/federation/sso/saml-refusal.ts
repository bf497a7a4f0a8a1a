import type { SamlReason } from './reasons.ts'

/** Thrown within the readers of SAML, whose exported functions return the reason instead. */
export class SamlRefused extends Error {
  override readonly name = 'SamlRefused'
  readonly reason: SamlReason

  constructor(reason: SamlReason) {
    super(reason)
    this.reason = reason
  }
}

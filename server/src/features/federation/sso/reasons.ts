import { oidcRefusals } from '../../../protocols/oidc/code-flow.ts'
import { personRefusals } from '../linking/persons.service.ts'

/** Reasons to refuse a SAML response. */
const ofSaml = {
  malformed: 121,
  status: 122,
  encrypted: 123,
  assertions: 124,
  unsigned: 125,
  signature_form: 126,
  signature_algorithm: 127,
  signature_invalid: 128,
  issuer: 129,
  audience: 130,
  destination: 131,
  confirmation: 132,
  recipient: 133,
  in_response_to: 134,
  too_early: 135,
  expired: 136,
  condition: 137,
  transient: 138,
  subject: 139,
} as const

export type SamlReason = keyof typeof ofSaml

/**
 * Reasons to refuse a sign-in by a connection. A page shows a stranger only the number. Administrators see the reason
 * among the attempts, as a text of the console. Numbers never change their meaning.
 */
export const refusals = { ...oidcRefusals, ...ofSaml, ...personRefusals }

export type Refusal = keyof typeof refusals

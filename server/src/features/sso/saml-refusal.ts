/** Why a message of SAML or its metadata is refused. The texts are for administrators. */
export const samlRefusals = {
  malformed: 'The message is not plain, well-formed XML of SAML 2.0 within the limits.',
  status: 'The provider answered that it did not sign the person in.',
  encrypted: 'The assertion is encrypted. Turn encryption off at the provider.',
  assertions: 'The response has no assertion, or more than one.',
  unsigned: 'Neither the response nor the assertion is signed.',
  signatureForm: 'The signature has a form that is not accepted: it signs its own element, and that alone.',
  signatureAlgorithm: 'The signature uses an algorithm that is not accepted. Use RSA or ECDSA with SHA-256.',
  signatureInvalid: 'No certificate of this connection fits the signature, or the content was changed.',
  issuer: 'The issuer is not the entity of this connection.',
  audience: 'The assertion is meant for another audience than this connection.',
  destination: 'The response was sent to another address than this connection.',
  confirmation: 'The assertion has no bearer confirmation for this connection.',
  recipient: 'The assertion is meant for another address than this connection.',
  inResponseTo: 'The assertion answers another request.',
  tooEarly: 'The assertion is not valid yet. Compare the clocks.',
  expired: 'The assertion is not valid any more. Compare the clocks.',
  condition: 'The assertion has a condition that is not known, or lacks its times.',
  transient: 'The name identifier is transient. Choose a persistent one at the provider.',
  subject: 'The assertion does not name its subject in one way.',
} as const

export type SamlReason = keyof typeof samlRefusals

/** Thrown inside the readers of SAML; their entrances answer with the reason. */
export class SamlRefused extends Error {
  override readonly name = 'SamlRefused'
  readonly reason: SamlReason

  constructor(reason: SamlReason) {
    super(samlRefusals[reason])
    this.reason = reason
  }
}

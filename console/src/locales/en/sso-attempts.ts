export const ssoOutcomes = {
  proof: 'Proof requested',
  refused: 'Refused',
  signed_in: 'Signed in',
  test_failed: 'Test failed',
  test_passed: 'Test passed',
}

/** By the service's codes: the cause, and the remedy. */
export const ssoReasons = {
  address_missing:
    'The provider sent no e-mail. Make it send one, and check which claim or attribute carries it.',
  address_outside:
    'The e-mail isn’t in a verified domain of this connection, so the user was refused. If the domain is yours, verify it, then choose it under “Who signs in”.',
  answer_invalid: 'The provider’s response didn’t belong to this sign-in. Start again, and use only one tab.',
  assertions: 'The response had no assertion, or more than one. Make the provider send exactly one.',
  audience:
    'The response is meant for another service. Enter our exact entity ID as the audience at the provider.',
  client_refused:
    'The provider refused this connection. Check the client ID and the secret, which may have expired. Also check that the application allows this kind of sign-in.',
  condition:
    'The response has a condition that isn’t understood. Remove additional conditions at the provider.',
  confirmation:
    'The response lacks the bearer confirmation that SAML requires. Use the Web Browser SSO profile at the provider.',
  connection_inactive: 'The connection was disabled in the meantime. Test it, then activate it again.',
  created: 'No one had this e-mail: a user was created.',
  destination: 'The response was sent to another URL. Enter our exact reply URL at the provider.',
  encrypted:
    'The assertion is encrypted. Turn off assertion encryption at the provider: https already protects it.',
  expired:
    'The response had expired, or the user took too long. Check the provider’s clock, then start again.',
  factor_missing:
    'Two-step verification is required here, and this account doesn’t use it. Ask the user to set it up, or trust the provider’s two-step verification.',
  hosted_domain:
    'This Google account isn’t in your organization’s Workspace domain. Ask the user to sign in with their work account.',
  in_response_to:
    'The response doesn’t belong to an open sign-in: it was already used, is too old, or the sign-in began at the provider. Start again.',
  issuer: 'The response comes from another provider. Check that this connection has the right metadata.',
  known: 'The user was already linked to this connection.',
  limit_reached: 'The organization has reached its user limit. Disable a user, or ask for a higher limit.',
  linked: 'A user with this e-mail was linked to the provider.',
  malformed: 'The response couldn’t be read. It must be plain SAML 2.0, without comments or a DOCTYPE.',
  nobody_known:
    'No one here has this e-mail, and the connection doesn’t create users. Invite the user, or turn on “Create users at their first sign-in”.',
  not_pushed:
    'The directory didn’t push this user, or has removed them. Assign the user to the application at the provider.',
  other_subject:
    'The user with this e-mail is linked to another account at the provider. If someone else now has the e-mail, unlink the user first.',
  proved: 'The user proved that the account with this e-mail is theirs, and was linked.',
  provider_refused:
    'The provider didn’t sign the user in, or the user canceled. Check at the provider that the user may use the application.',
  provider_unreachable:
    'The provider didn’t answer in time. Try again. If that doesn’t help, check that its URLs are reachable from here.',
  recipient:
    'The assertion is meant for another URL. Enter our exact reply URL as the recipient at the provider.',
  signature_algorithm:
    'The response is signed with a method that is too weak. At the provider, choose RSA with SHA-256 and a key of at least 2,048 bits.',
  signature_form:
    'The form of the signature isn’t accepted. Make the provider sign the whole response or assertion, with exclusive canonicalization.',
  signature_invalid:
    'No certificate of this connection matches the signature. If the provider has a new certificate, enter its new metadata in this connection.',
  status: 'The provider reports that it didn’t sign the user in. See the provider’s log for the reason.',
  subject: 'The response names no subject. Check which attribute this connection uses for it.',
  subject_missing:
    'The provider sent no subject. Check which claim this connection uses for it. For oid, the application needs the profile scope.',
  tenant_disabled: 'The organization is disabled. Ask the operator.',
  token_invalid:
    'The provider’s token wasn’t accepted: the signature, client or time doesn’t match. Check the client ID and issuer, and the provider’s clock.',
  too_early: 'The response isn’t valid yet. Correct the provider’s clock.',
  transient: 'The provider sends a different ID for the user each time. Choose a persistent name identifier.',
  unsigned: 'Neither the response nor the assertion is signed. Turn on signing at the provider.',
  user_disabled:
    'The user is disabled here. Enable the user. If the directory disabled them, enable them there too.',
  userinfo_invalid:
    'The user details from the provider belong to someone else, or couldn’t be read. Start again.',
}

/** By the service's codes: how a sign-in would find the person's account. */
export const ssoTestReasons = {
  answered: 'The provider answers as it should, with an e-mail in your domain.',
  created: 'No one has this e-mail: a user would be created.',
  known: 'The user is already linked, and would be signed in.',
  linked: 'A user with this e-mail would be linked and signed in.',
  proved:
    'An account with this e-mail exists. The user would first have to prove that it is theirs, with its password or an e-mailed link, and would then be linked.',
}

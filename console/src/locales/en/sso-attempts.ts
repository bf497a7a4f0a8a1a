export const ssoOutcomes = {
  proof: 'Proof asked',
  refused: 'Refused',
  signed_in: 'Signed in',
  test_failed: 'Test failed',
  test_passed: 'Test passed',
}

/** By the service's codes: the cause, and the remedy. */
export const ssoReasons = {
  address_missing:
    'The provider sent no e-mail address. Make it send one, and check the name of the claim or attribute with the e-mail.',
  address_outside:
    'The address is in no verified domain of this connection, so the person was refused. If the domain is yours, verify it, then choose it under “Who signs in”.',
  answer_invalid: 'The provider’s answer did not belong to this sign-in. Begin again, in one tab.',
  assertions: 'The response had no assertion, or more than one. Make the provider send exactly one.',
  audience:
    'The response is meant for another service. Enter our entity id as the audience at the provider, exactly.',
  client_refused:
    'The provider refused the client of this connection. Check client id and secret, which may have expired, and that the application may use this sign-in.',
  condition:
    'The response has a condition that is not understood. Remove additional conditions at the provider.',
  confirmation:
    'The response lacks the bearer confirmation that SAML requires. Use the Web Browser SSO profile at the provider.',
  connection_inactive: 'The connection was disabled meanwhile. Activate it again, after a test.',
  created: 'Nobody had this address: a user was created.',
  destination: 'The response was sent to another address. Enter our reply address at the provider, exactly.',
  encrypted:
    'The assertion is encrypted. Turn encryption of assertions off at the provider: https protects it.',
  expired:
    'The response had expired, or the person took too long. Check the clock of the provider, then begin again.',
  factor_missing:
    'A second factor is required here, and this account has none. Ask the person to add one, or trust the provider’s second factor.',
  hosted_domain:
    'This Google account is not in your organization’s Workspace domain. Sign in with your work account.',
  in_response_to:
    'The response belongs to no open sign-in: it was already used, is too old, or the sign-in began at the provider. Begin again.',
  issuer: 'The response comes from another provider. Check that this connection has the right metadata.',
  known: 'The person was known to this connection.',
  linked: 'A user with this address was linked to the provider.',
  malformed: 'The response could not be read. It must be plain SAML 2.0, without comments and DOCTYPE.',
  nobody_known:
    'Nobody here has this address, and new users are not created. Invite the person, or turn on creating users.',
  not_pushed:
    'The directory did not push this person, or has removed them. Assign the person to the application at the provider.',
  other_subject:
    'The user with this address is linked to another account of the provider. If another person now has the address, unlink the user first.',
  proved: 'The person proved the account with this address, and was linked.',
  provider_refused:
    'The provider did not sign the person in, or the person cancelled. Check at the provider that the person may use the application.',
  provider_unreachable:
    'The provider did not answer in time. Try again. If that does not help, check that its addresses are reachable from here.',
  recipient:
    'The assertion is meant for another address. Enter our reply address as recipient at the provider, exactly.',
  signature_algorithm:
    'The response is signed by a method that is too weak. Choose RSA with SHA-256 at the provider, and a key of at least 2,048 bits.',
  signature_form:
    'The form of the signature is not accepted. Let the provider sign the whole response or assertion, by exclusive canonicalization.',
  signature_invalid:
    'No certificate of this connection fits the signature. If the provider has a new certificate, send its metadata again.',
  status: 'The provider reports that it did not sign the person in. See the provider’s log for the reason.',
  subject:
    'The response names no subject. Check the name of the attribute that this connection takes for it.',
  subject_missing:
    'The provider sent no subject. Check which claim this connection takes for it; for oid the application needs the scope profile.',
  tenant_disabled: 'The organization is disabled. Ask the operator.',
  token_invalid:
    'The provider’s token was not accepted: signature, client or time do not fit. Check client id and issuer, and the clock of the provider.',
  too_early: 'The response is not valid yet. Set the clock of the provider.',
  transient:
    'The provider sends a different id for the person each time. Choose a persistent name identifier.',
  unsigned: 'Neither response nor assertion is signed. Turn signing on at the provider.',
  user_disabled: 'The user is disabled here. Enable the user, in the directory too if it disabled them.',
  userinfo_invalid: 'The provider’s details belong to another person, or could not be read. Begin again.',
}

/** By the service's codes: how a sign-in would find the person's account. */
export const ssoTestReasons = {
  created: 'Nobody has this address: a user would be created.',
  known: 'The person is linked already, and would be signed in.',
  linked: 'A user with this address would be linked and signed in.',
  proved:
    'An account with this address exists. The person would first prove it by its password or a mailed link, and would then be linked.',
}

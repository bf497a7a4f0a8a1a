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
    'The provider sent no e-mail address. Let it send one, and check the name of the claim or attribute with the e-mail.',
  address_outside:
    'The address is in no verified domain that leads to this connection, so the person stays out. If it is one of yours, verify its domain, then choose it under “Who signs in”.',
  answer_invalid: 'The provider’s answer did not belong to this sign-in. Begin again, in one tab.',
  assertions: 'The response had no assertion, or more than one. Let the provider send exactly one.',
  audience:
    'The response is meant for another service. Enter our entity id as the audience at the provider, exactly.',
  client_refused:
    'The provider refused the client of this connection. Check client id and secret, which may have expired, and that the application may use this sign-in.',
  condition:
    'The response has a condition that is not understood. Remove additional conditions at the provider.',
  confirmation:
    'The response does not confirm its bearer as SAML asks. Use the web browser sign-on profile at the provider.',
  connection_inactive: 'The connection was disabled meanwhile. Activate it again, after a test.',
  created: 'Nobody had this address: a user was created.',
  destination: 'The response was sent to another address. Enter our reply address at the provider, exactly.',
  encrypted:
    'The assertion is encrypted. Turn encryption of assertions off at the provider: https protects it.',
  expired:
    'The response had expired, or the person took too long. Check the clock of the provider, then begin again.',
  factor_missing:
    'A second factor is required here, and this account has none. Let the person add one, or trust the one of the provider.',
  hosted_domain:
    'This is no account of your Google Workspace in the domain of the address. Sign in with the account of the organization.',
  in_response_to:
    'The response answers no open sign-in: it was used before, is too old, or began at the provider. Begin again.',
  issuer:
    'The response comes from another provider than the one of this connection. Check that its metadata are the right ones.',
  known: 'The person was known to this connection.',
  linked: 'A user with this address was linked to the provider.',
  malformed: 'The response could not be read. It has to be plain SAML 2.0, without comments and DOCTYPE.',
  nobody_known:
    'Nobody here has this address, and new users are not created. Invite the person, or turn on creating users.',
  not_pushed:
    'The directory did not push this person, or has removed them. Assign the person to the application at the provider.',
  other_subject:
    'The user with this address is linked to another account of the provider. If the address has changed hands, unlink the user first.',
  proved: 'The person proved the account with this address, and was linked.',
  provider_refused:
    'The provider did not sign the person in, or the person gave up. Check at the provider that the person may use the application.',
  provider_unreachable:
    'The provider did not answer in time. Try again; if it stays, check that its addresses are reachable from here.',
  recipient:
    'The assertion is meant for another address. Enter our reply address as recipient at the provider, exactly.',
  signature_algorithm:
    'The response is signed by a method that is too weak. Choose RSA with SHA-256 at the provider, and a key of at least 2,048 bits.',
  signature_form:
    'The form of the signature is not accepted. Let the provider sign the whole response or assertion, by exclusive canonicalization.',
  signature_invalid:
    'No certificate of this connection fits the signature. If the provider has a new certificate, send its metadata again.',
  status: 'The provider reports that it did not sign the person in. Its own log says why.',
  subject:
    'The response names no subject. Check the name of the attribute that this connection takes for it.',
  subject_missing:
    'The provider sent no subject. Check which claim this connection takes for it; for oid the application needs the scope profile.',
  tenant_disabled: 'The organization is disabled. Ask the operator.',
  token_invalid:
    'The provider’s token was not accepted: signature, client or time do not fit. Check client id and issuer, and the clock of the provider.',
  too_early: 'The response is not valid yet. Set the clock of the provider.',
  transient: 'The provider sends another name of the person each time. Choose a persistent name identifier.',
  unsigned: 'Neither response nor assertion is signed. Turn signing on at the provider.',
  user_disabled: 'The user is disabled here. Enable the user, in the directory too if it disabled them.',
  userinfo_invalid:
    'The provider’s details about the person belong to another one, or could not be read. Begin again.',
}

/** By the service's codes: how a sign-in would find the person's account. */
export const ssoTestReasons = {
  created: 'Nobody has this address: a user would be created.',
  known: 'The person is linked already, and would be signed in.',
  linked: 'A user with this address would be linked and signed in.',
  proved:
    'An account with this address is there. The person would first prove that it is theirs, by its password or a mailed link, and would then be linked.',
}

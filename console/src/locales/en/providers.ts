/** The texts of the pages about providers of the installation. Each line of a guide is a step. */
export const providers = {
  about: 'People of every organization can sign in by these, such as Google or Microsoft',
  allowNew: 'New people may come by this provider',
  allowNewHint: 'They get an account only where registration or sign-up is open, or with an invitation.',
  callback: 'Redirect address',
  callbackNeeds: 'The redirect address appears here when the slug is valid.',
  clientId: 'Client id',
  copyCallback: 'Copy the redirect address',
  create: 'Create provider',
  createDraft: 'Create draft',
  delete: 'Delete',
  deleteOne: 'Delete {{name}}?',
  deleteText:
    'Everybody who signed in by this provider is signed out at once, and their identities there are deleted. Their accounts stay: a mailed link gives those without another way a password. This cannot be undone.',
  disable: 'Disable',
  disableOne: 'Disable {{name}}?',
  disableText:
    'Everybody who signed in by this provider is signed out at once, and nobody can sign in by it. Identities stay: people can sign in again as soon as the provider is active.',
  fromProvider: 'From the provider',
  guide: 'Steps at the provider: {{kind}}',
  isActive: 'Provider {{name}} is active.',
  isDeleted: 'Provider {{name}} deleted.',
  isDisabled: 'Provider {{name}} disabled.',
  issuer: 'Issuer',
  issuerHint: 'As the provider’s /.well-known/openid-configuration names it. It never changes.',
  key: 'Private key',
  keyHint: 'The whole content of the .p8 file.',
  keyId: 'Key ID',
  kind: 'Kind',
  lastUsed: 'Last used',
  nameHint: 'People see it on the button of the sign-in.',
  none: 'No providers yet',
  noneText: 'Create one, and people can sign in with an account that they already have.',
  saved: 'Provider saved.',
  scopes: 'Scopes',
  scopesHint: 'Separated by spaces.',
  scopesUsual: 'Separated by spaces. Leave this empty for the usual ones.',
  secret: 'Client secret',
  secretKept: 'Leave this empty to keep the present one.',
  servicesId: 'Services ID',
  slug: 'Slug',
  slugHint: 'A part of the redirect address, in lower-case letters, digits and -. It never changes.',
  slugWrong: 'Use 1 to 32 lower-case letters, digits and -.',
  teamId: 'Team ID',
  tenant: 'Who signs in',
  tenant_common: 'Work, school and personal accounts',
  tenant_consumers: 'Personal accounts',
  tenant_single: 'Accounts of one organization',
  tenant_organizations: 'Work and school accounts',
  tenantId: 'Directory (tenant) ID',
  test: 'Test',
  testHint:
    'Leads to the sign-in at the provider, and back to this page. It signs nobody in and changes nothing.',
  trustsEmail: 'The provider has verified its e-mail addresses',
  trustsEmailHint:
    'Then nobody has to confirm an address that it calls verified. Turn this on only if you know how it verifies them.',
}

export const providerKinds = {
  apple: 'Apple',
  github: 'GitHub',
  google: 'Google',
  microsoft: 'Microsoft',
  oidc: 'Other (OpenID Connect)',
}

export const providerGuides = {
  apple: [
    'Open developer.apple.com/account, “Certificates, Identifiers & Profiles”. Under “Identifiers”, take an App ID with “Sign in with Apple”, or register one.',
    'Add an identifier of the type “Services IDs”. Its identifier is the Services ID below.',
    'Edit it: turn on “Sign in with Apple”, “Configure”. Choose the App ID, enter the host of this installation as the domain, and the redirect address as the return URL. Apple accepts only https, and not localhost.',
    'Under “Keys”, add a key with “Sign in with Apple” for the App ID. Download the .p8 file, which Apple offers once. The same page shows the Key ID.',
    'The Team ID stands under “Membership details”.',
    'Under “Services”, register the address that sends your e-mails. Without it, Apple drops mails to people who hide their address.',
  ].join('\n'),
  github: [
    'Open github.com. In the settings of your organization or account: “Developer settings”, “OAuth Apps”, “New OAuth app”.',
    'Homepage URL: the address of your product. Authorization callback URL: the redirect address.',
    '“Register application”. Copy the Client ID.',
    '“Generate a new client secret”. Copy it now: GitHub shows it once.',
    'GitHub does not say when it verified an address. So new people confirm theirs by a mailed link.',
  ].join('\n'),
  google: [
    'Open console.cloud.google.com, and choose or create a project of your organization.',
    '“Google Auth Platform”, “Get started”: enter the name of your product, and choose the audience “External”. “Internal” admits only your own Workspace.',
    '“Clients”, “Create client”, “Web application”: add the redirect address under “Authorized redirect URIs”.',
    'Copy client ID and client secret now: Google shows the secret once.',
    'Under “Audience”, “Publish app”. Until then only the test users that you name can sign in.',
  ].join('\n'),
  microsoft: [
    'Open entra.microsoft.com, “App registrations”, “New registration”. Choose the account types that you also choose below.',
    'Redirect URI: the platform “Web”, and the redirect address.',
    '“Overview”: the “Application (client) ID” is the client id. For one organization, also copy the “Directory (tenant) ID”.',
    '“Certificates & secrets”, “New client secret”: copy its value, not its id. It expires: note the date, and enter a new secret here before.',
    '“Manifest”: add “email” and “xms_edov” to the list “idToken” of “optionalClaims”. Without them, people confirm their address by a mailed link.',
  ].join('\n'),
  oidc: [
    'Register a confidential web application with the authorization code flow. PKCE is always used.',
    'Enter the redirect address there.',
    'Copy the issuer, the client id and the client secret.',
  ].join('\n'),
}

export const providerTests = {
  answer_invalid: 'The provider’s answer did not belong to this test. Begin again, in one tab.',
  client_refused:
    'The provider refused the client. Check client id and secret, which may have expired, and the redirect address at the provider.',
  hosted_domain: 'The provider signed in a person of an organization that may not sign in here.',
  known: 'You would be signed in: this person is known here.',
  new: 'You would get a new account.',
  proof: 'You would first prove the address, by the password of its account or by a mailed link.',
  provider_refused: 'The provider did not sign you in, or you cancelled.',
  provider_unreachable:
    'The provider did not answer in time. Check the issuer, and that its addresses are reachable from here.',
  refused:
    'The provider works. You would not be signed in: no account has this address, and new ones are not open.',
  subject_missing: 'The provider sent no subject.',
  token_invalid:
    'The provider’s token was not accepted: signature, client, tenant or time do not fit. Check the client id, and the clock of this machine.',
  userinfo_invalid:
    'The provider’s details could not be read, or belong to another person. Check the scopes.',
}

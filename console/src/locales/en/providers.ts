/** The texts of the pages about providers of the installation. Each line of a guide is a step. */
export const providers = {
  about: 'Providers that users of every organization can sign in with, such as Google or Microsoft',
  allowNew: 'Allow new accounts from this provider',
  allowNewHint: 'People without an invitation still need registration or sign-up to be open.',
  callback: 'Redirect URL',
  callbackNeeds: 'The redirect URL appears here when the slug is valid.',
  clientId: 'Client ID',
  copyCallback: 'Copy the redirect URL',
  create: 'Create provider',
  createDraft: 'Create draft',
  delete: 'Delete',
  deleteOne: 'Delete {{name}}?',
  deleteText:
    'Everyone who signed in with this provider is signed out immediately and unlinked from it. Their accounts stay. Those without another way to sign in can set a password through an e-mailed link. This can’t be undone.',
  disable: 'Disable',
  disableOne: 'Disable {{name}}?',
  disableText:
    'Everyone who signed in with this provider is signed out immediately, and no one can sign in with it. Their accounts stay linked, so they can sign in again once the provider is active.',
  fromProvider: 'From the provider',
  guide: 'Steps at the provider: {{kind}}',
  isActive: 'Provider {{name}} is active.',
  isDeleted: 'Provider {{name}} deleted.',
  isDisabled: 'Provider {{name}} disabled.',
  issuer: 'Issuer',
  issuerHint: 'The issuer in the provider’s /.well-known/openid-configuration. It can’t be changed later.',
  key: 'Private key',
  keyHint: 'The entire contents of the .p8 file.',
  keyId: 'Key ID',
  kind: 'Type',
  lastUsed: 'Last used',
  nameHint: 'Shown on the sign-in button.',
  none: 'No providers yet',
  noneText: 'Create one, and people can sign in with an account that they already have.',
  saved: 'Provider saved.',
  scopes: 'Scopes',
  scopesHint: 'Separated by spaces.',
  scopesUsual: 'Separated by spaces. Leave this empty for the defaults.',
  showSecret: 'Show secret',
  secret: 'Client secret',
  secretKept: 'Leave this empty to keep the current one.',
  servicesId: 'Services ID',
  slug: 'Slug',
  slugHint: 'Part of the redirect URL, in lowercase letters, digits and -. It can’t be changed later.',
  slugWrong: 'Use 1 to 32 lowercase letters, digits and -.',
  teamId: 'Team ID',
  tenant: 'Who signs in',
  tenant_common: 'Work, school and personal accounts',
  tenant_consumers: 'Personal accounts',
  tenant_single: 'Accounts of one organization',
  tenant_organizations: 'Work and school accounts',
  tenantId: 'Directory (tenant) ID',
  test: 'Test',
  testHint: 'Opens the provider’s sign-in, then returns here. It signs no one in and changes nothing.',
  trustsEmail: 'Trust e-mails that the provider has verified',
  trustsEmailHint:
    'Users then don’t have to confirm an e-mail that the provider calls verified. Turn this on only if you know how the provider verifies e-mails.',
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
    'Open developer.apple.com/account, “Certificates, Identifiers & Profiles”. Under “Identifiers”, choose an App ID with “Sign in with Apple”, or register one.',
    'Add an identifier of the type “Services IDs”. Its identifier is the Services ID below.',
    'Edit it: turn on “Sign in with Apple”, then choose “Configure”. Choose the App ID. Enter the host of this installation as the domain, and the redirect URL as the return URL. Apple accepts only https, and not localhost.',
    'Under “Keys”, add a key with “Sign in with Apple” for the App ID. Download the .p8 file, which Apple offers once. The same page shows the Key ID.',
    'The Team ID is under “Membership details”.',
    'Under “Services”, register the sender of your e-mails. Otherwise, Apple drops e-mails to people who hide their own e-mail.',
  ].join('\n'),
  github: [
    'Open github.com. In the settings of your organization or account, choose “Developer settings”, “OAuth Apps”, “New OAuth app”.',
    'Enter the URL of your product as “Homepage URL”, and the redirect URL as “Authorization callback URL”.',
    'Choose “Register application”, and copy the client ID.',
    'Choose “Generate a new client secret”, and copy it now: GitHub shows it only once.',
    'GitHub doesn’t say when it verified an e-mail, so new users confirm theirs through an e-mailed link.',
  ].join('\n'),
  google: [
    'Open console.cloud.google.com, and choose or create a project of your organization.',
    'Under “Google Auth Platform”, choose “Get started”. Enter the name of your product, and choose the audience “External”. “Internal” admits only your own Workspace.',
    'Choose “Clients”, “Create client”, “Web application”. Add the redirect URL under “Authorized redirect URIs”.',
    'Copy the client ID and the client secret now: Google shows the secret only once.',
    'Under “Audience”, choose “Publish app”. Until then, only the test users that you name can sign in.',
  ].join('\n'),
  microsoft: [
    'Open entra.microsoft.com, and choose “App registrations”, “New registration”. Choose the same account types as below.',
    'Under “Redirect URI”, choose “Web” and enter the redirect URL.',
    'Under “Overview”, copy the “Application (client) ID”. For one organization, also copy the “Directory (tenant) ID”.',
    'Under “Certificates & secrets”, choose “New client secret”. Copy its value, not its ID. It expires: note the date, and enter a new secret here before then.',
    'Under “Manifest”, add “email” and “xms_edov” to the list “idToken” of “optionalClaims”. Without them, users confirm their e-mail through an e-mailed link.',
  ].join('\n'),
  oidc: [
    'Register a confidential web application with the authorization code flow. PKCE is always used.',
    'Enter the redirect URL there.',
    'Copy the issuer, the client ID and the client secret.',
  ].join('\n'),
}

export const providerTests = {
  answer_invalid: 'The provider’s response didn’t belong to this test. Start again, and use only one tab.',
  client_refused:
    'The provider refused this installation. Check the client ID, the redirect URL at the provider, and the secret, which may have expired.',
  hosted_domain: 'The provider signed in a user whose organization isn’t allowed to sign in here.',
  known: 'You would be signed in: this user is known here.',
  new: 'You would get a new account.',
  proof:
    'You would first have to prove that the e-mail is yours, with its account’s password or an e-mailed link.',
  provider_refused: 'The provider didn’t sign you in, or you canceled.',
  provider_unreachable:
    'The provider didn’t answer in time. Check the issuer, and that its URLs are reachable from here.',
  refused:
    'The provider works. You wouldn’t be signed in: no account has this e-mail, and new accounts aren’t allowed.',
  subject_missing: 'The provider sent no user ID (subject). Check the scopes.',
  token_invalid:
    'The provider’s token wasn’t accepted: the signature, client, directory or time doesn’t match. Check the client ID, and this server’s clock.',
  userinfo_invalid:
    'The user details from the provider couldn’t be read, or belong to someone else. Check the scopes.',
}

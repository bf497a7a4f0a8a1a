/** The texts of the pages about enterprise sign-in. */
export { connections } from './connections.ts'
export { providerGuides, providerKinds, providers, providerTests } from './providers.ts'

export const domains = {
  about:
    'A DNS record proves that a domain is yours. A provider signs in only people with addresses in a verified domain.',
  add: 'Add domain',
  addHint: 'The part of your addresses after the @. A subdomain is a domain of its own.',
  copyName: 'Copy the name of the record',
  copyValue: 'Copy the value of the record',
  delete: 'Delete',
  deleteLeading:
    'People with addresses in this domain are no longer sent to {{name}}, and new people in it can no longer sign in there. Open sessions stay. Any organization can then verify the domain.',
  deleteOne: 'Delete {{domain}}?',
  deleteText:
    'Any organization can then verify the domain. To get it back, verify it again with a new record.',
  deleteThis: 'Delete the domain {{domain}}',
  deleted: 'Domain {{domain}} deleted.',
  hideRecord: 'Hide the record',
  isVerified: 'Domain {{domain}} verified.',
  lapsed: 'Lapsed',
  lapsedChoice:
    'Lapsed: the DNS record of this domain is gone. New people cannot sign in through the domain until you verify it again.',
  lapsedText:
    'The record was missing for 7 days. People who have signed in before can still sign in, but new people cannot. Another organization can verify the domain. Add the record again, then choose “Look now”.',
  leadsNowhere: 'No connection uses this domain yet.',
  leadsTo: 'Belongs to {{name}}. Keep the record in DNS: it is checked every day.',
  look: 'Look now',
  looked: 'Last looked:',
  missing:
    'The record is not there yet. It can take minutes, and at some providers hours, until a new record is visible everywhere. Check that its name is exactly {{record}}.',
  nameHint:
    'Some providers append the domain themselves. In this case enter only {{short}}, without .{{domain}}.',
  none: 'No domains yet. Add the domain of your e-mail addresses.',
  others: 'The DNS record is missing. {{record}} has these other TXT values:',
  pending: 'Not verified',
  pendingChoice: 'Not verified yet. Until you verify this domain, nobody can sign in through it.',
  recordName: 'Name of the TXT record',
  recordValue: 'Value of the TXT record',
  showRecord: 'Show the record',
  stepLook: 'Save it, wait a few minutes, then choose “Look now”.',
  stepOpen: 'Open the DNS settings of {{domain}}, at the company where the domain is registered or hosted.',
  stepRecord: 'Add a TXT record with the name and the value below. Existing records can stay.',
  title: 'Domains',
  unanswered: 'No DNS server gave an answer. Look again in a few minutes.',
  verified: 'Verified',
  verifiedChoice: 'Verified',
  wrong: 'Enter a domain such as example.com.',
}

export const onlyConnection = {
  addBreakGlass: 'Add break-glass user',
  breakGlass: 'Break-glass users',
  breakGlassAdded: 'Break-glass user added.',
  breakGlassHint:
    'Up to 3 users who can sign in by password and second factor when the provider does not work. Each of them sets up the second factor under “Your profile”, “Security”. Each of their sign-ins is reported to everybody who manages the sign-in.',
  breakGlassNoFactor: 'Has no second factor any more, so the exemption gives no access.',
  breakGlassRemoved: 'Break-glass user removed.',
  breakGlassText:
    'Choose a user who has a second factor and does not come from a directory. Users set up their second factor under “Your profile”, “Security”. Keep the password where you can find it without the provider.',
  exemptRefused:
    'This user comes from a directory, or has no second factor yet. Users set it up under “Your profile”, “Security”.',
  isMet: 'Met:',
  isMissing: 'Missing:',
  isNotOnly: 'People have several ways to sign in',
  isNotOnlyText: 'By password, by passkey, and by an active connection.',
  isOnly: 'Only sign-ins by the connection are accepted',
  isOnlyText:
    'Passwords, passkeys, invitations and registration give no access here, except to service accounts and the break-glass users below.',
  madeOnly: 'Now only sign-ins by the connection are accepted.',
  madeOptional: 'People have several ways to sign in again.',
  makeOnly: 'Accept only sign-ins by the connection',
  makeOnlyText:
    'All sessions that no active connection opened end at once, except those of break-glass users. Passwords and invitations no longer give access here.',
  makeOnlyTitle: 'Accept only sign-ins by the connection?',
  makeOptional: 'Allow passwords and passkeys again',
  makeOptionalText: 'People can again sign in by password and passkey, and accept invitations.',
  makeOptionalTitle: 'Allow passwords and passkeys again?',
  needsActive: 'A connection is active',
  needsBreakGlass: 'A break-glass user has a second factor',
  needsOwnSession: 'You signed in by the connection yourself, within the last hour',
  noBreakGlass: 'No break-glass users yet.',
  noUsersFound: 'No users match',
  only: 'Sign-in by the connection only',
  onlyHint: 'A person who is blocked at the provider then has no other way to sign in.',
  onlyNeeds: 'Required first, so that nobody is locked out',
  removeBreakGlass: 'Remove',
  removeBreakGlassOf: 'Remove {{name}}',
  removeBreakGlassText:
    'While only sign-ins by the connection are accepted, this user’s sessions end, and the password no longer gives access here.',
  removeBreakGlassTitle: 'Remove {{name}} from the break-glass users?',
  toActivate: 'Test and activate {{name}}',
  toBreakGlass: 'Add one above. Users set up their second factor on their own profile page.',
  toCreate: 'Create a connection, test it and activate it',
  toOwnLater: 'Possible once a connection is active.',
  toOwnSession: 'You then return to this page.',
  toOwnTenant: 'Only a user of this tenant can do it, after signing in by the connection.',
  toProfile: 'Open your own profile',
  toSignIn: 'Sign in by {{name}}',
  unlinkText:
    'Sessions by the provider end at once. The next sign-in there links the user again, by the same rules. Do this if another person now has the address.',
  unlinkTitle: 'Unlink {{name}} from the provider?',
  unlinked: 'User unlinked from the provider.',
}

export const ssoPlan = {
  addDirectory: 'Set up a directory (SCIM, optional)',
  builtIn:
    'This is the built-in tenant. Each organization has its own tenant, and its connection is set up there.',
  connection: '2. Make a connection',
  connectionText: 'To your provider, by OpenID Connect or SAML. You test it before you activate it.',
  directory: '3. Set up a directory (optional)',
  directoryText:
    'Your provider pushes people and groups by SCIM, so that people who leave lose access at once. The directory belongs to the connection.',
  domain: '1. Verify your domain',
  domainText: 'A DNS record shows that the part of your addresses after the @ is yours.',
  done: 'Done:',
  guides: 'Guides:',
  hasDirectory: 'With a directory (SCIM)',
  hint: 'No sign-in changes before the connection is active.',
  only: '4. Later: only the connection (optional)',
  onlyText: 'When everything works, you can turn off passwords and passkeys for your people.',
  open: 'To do:',
  title: 'Set-up in this order',
  toTenants: 'Open the tenants',
}

export const ssoProviders = {
  entra: 'Entra ID',
  entraClient: '“Application (client) ID”, on the overview of the app registration.',
  entraIssuer: 'Replace DIRECTORY by the “Directory (tenant) ID”, on the overview of the app registration.',
  entraMetadata: '“Federation Metadata XML”, under “Single sign-on”, “SAML Certificates”.',
  google: 'Google Workspace',
  googleClient: 'In the Google Cloud console, “Google Auth Platform”, “Clients”.',
  googleIssuer: 'https://accounts.google.com for every organization.',
  googleMetadata: '“Download metadata”, in the custom SAML app of the admin console.',
  keycloak: 'Keycloak',
  keycloakClient: '“Client ID”, under “Clients”, “Settings”.',
  keycloakIssuer:
    'The address of your realm, as it stands in “Realm settings”, “OpenID Endpoint Configuration”.',
  keycloakMetadata: '“Realm settings”, “SAML 2.0 Identity Provider Metadata”.',
  okta: 'Okta',
  oktaClient: '“Client ID”, under “General” of the app integration.',
  oktaIssuer: 'https:// and the host of your organization, without -admin.',
  oktaMetadata: '“View SAML setup instructions”, under “Sign On”: the text at the end of the page.',
  other: 'Another one',
  otherClient: 'As the provider shows it for the application.',
  otherIssuer: 'As the provider’s /.well-known/openid-configuration names it.',
  otherMetadata: 'The document about the identity provider, with one EntityDescriptor.',
}

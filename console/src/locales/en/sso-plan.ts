export const ssoPlan = {
  addDirectory: 'Set up a directory (SCIM, optional)',
  builtIn:
    'This is the built-in tenant. Each organization has its own tenant, and its connection is set up there.',
  connection: '2. Make a connection',
  connectionText: 'To your provider, by OpenID Connect or SAML. You test it before you activate it.',
  directory: '3. Set up a directory (optional)',
  directoryText:
    'Your provider pushes people and groups by SCIM, so that whoever leaves is out at once. It belongs to the connection.',
  domain: '1. Verify your domain',
  domainText: 'A DNS record shows that the part of your addresses after the @ is yours.',
  done: 'Done:',
  guides: 'Guides:',
  hasDirectory: 'With a directory (SCIM)',
  hint: 'Nobody’s sign-in changes before the connection is active.',
  only: '4. Later: only the connection (optional)',
  onlyText: 'Once all goes well, you can turn off passwords and passkeys for your people.',
  open: 'To do:',
  title: 'Set-up in this order',
  toTenants: 'Open the tenants',
}

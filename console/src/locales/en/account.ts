/** The texts of a person's own account. */
export { factors, recovery } from './credentials.ts'

/** The consents of people to applications of others. */
export const grants = {
  about: 'Third-party applications that users of this tenant have allowed to act for them',
  application: 'Application',
  createdAt: 'Allowed',
  none: 'No consents yet',
  noneText: 'A consent appears when a user allows a third-party application.',
  own: 'Applications with access to your account',
  ownNone: 'You have allowed no applications.',
  ownText: 'Third-party applications that you have allowed to act for you.',
  revoke: 'Revoke',
  revokeOne: 'Revoke the consent to {{name}}',
  revokeText: 'Its sessions end at once. It has to ask again.',
  revokeTitle: 'Revoke the consent to {{name}}?',
  revoked: 'Consent to {{name}} revoked.',
  scopes: 'Scopes',
  since: 'Allowed {{moment}}',
  user: 'User',
}

export const sessions = {
  ofApplication: 'In the application {{name}}',
  ofBrowser: 'This browser stays signed in to applications',
  current: 'This device',
  end: 'Sign out',
  endAll: 'Sign out everywhere',
  endAllText: 'All sessions of this user end at once. They can sign in again.',
  endAllTitle: 'Sign {{name}} out everywhere?',
  endOf: 'Sign out {{device}}',
  endOthers: 'Sign out everywhere else',
  endOthersText: 'All your other sessions end at once. You stay signed in here.',
  endOthersTitle: 'Sign out on all other devices?',
  ended: 'Device signed out.',
  none: 'This user is not signed in anywhere.',
  ofUser: 'Active sessions',
  othersEnded: 'All other devices signed out.',
  own: 'Your active sessions',
  ownText: 'If you do not recognize a device, sign it out and change your password.',
  since: 'Signed in {{moment}}',
  unknownDevice: 'Unknown device',
  used: 'last used {{ago}}',
  userEnded: '{{name}} signed out everywhere.',
}

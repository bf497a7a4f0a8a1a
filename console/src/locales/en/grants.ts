/** The consents of people to applications of others. */
export const grants = {
  about: 'Third-party applications that users of this tenant have allowed to act for them',
  application: 'Application',
  createdAt: 'Allowed',
  none: 'No consents yet',
  noneText: 'One appears when a user allows a third-party application.',
  own: 'Applications with access to your account',
  ownNone: 'You have allowed none.',
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

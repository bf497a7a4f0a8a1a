/** The texts of the pages of the own account. */
export { permissionTexts, scopeTexts, systemRoles } from './permissions.ts'
export { grants, sessions } from './account.ts'
export { factors } from './factors.ts'
export { recovery, signUp } from './credentials.ts'
export { errors } from './errors.ts'
export { ownErrors } from './own-errors.ts'
export { hosted } from './hosted.ts'
export { common, fieldFaults, fields, passwordFaults, signIn } from './kit.ts'

export const ownAccount = {
  back: 'Back to {{name}}',
  backToConsole: 'Back to the console',
  changePassword: 'Change password',
  connect: 'Connect {{name}}',
  connectText: 'You sign in at {{name}}, then return here. After that, you can use it to sign in.',
  data: 'Data',
  devices: 'Devices',
  identities: 'Sign-in with other services',
  identitiesText: 'Accounts with other services that you can sign in with here.',
  noPassword: 'Your account has no password.',
  organization: 'Organization',
  organizations: 'Organizations',
  passwordRemoved: 'Password removed.',
  person: 'You',
  personText: 'Other users in your organization see your name and your picture.',
  profile: 'Profile',
  removeIdentityText: 'You can no longer sign in with it, and the sessions started with it end.',
  removePassword: 'Remove password',
  removePasswordText: 'You’ll have to sign in another way. This signs you out everywhere else.',
  roles: 'Your roles in {{name}}',
  setPassword: 'Set password',
  signIn: 'Sign-in',
  signOut: 'Sign out',
  title: 'Your account',
}

export const memberships = {
  current: 'You’re here',
  deleteAccount: 'Delete your account',
  deleteHint: 'Removes you from every organization. This can’t be undone.',
  deleteTitle: 'Delete your account?',
  erased: 'This erases:',
  erasedAccount: 'your account, with its password, two-step verification and sessions',
  erasedForGood: 'It can’t be restored. Audit logs keep the records of your actions.',
  exportAsk: 'The file contains your account, and your data in every organization. Keep it safe.',
  exportConfirm: 'Download',
  exportHint:
    'A JSON file with the data stored about you in all your organizations. You can download it at most three times a day.',
  exportTitle: 'Export your data',
  exported: 'Your data was downloaded.',
  erasedUser: '{{username}} in {{name}}, with its roles and notifications',
  goOnIn: 'You continue in {{name}}.',
  goOnNowhere: 'You’re signed out, because all your other organizations are disabled.',
  leave: 'Leave',
  leaveOne: 'Leave {{name}}',
  leaveText:
    'Your roles and notifications there are deleted, and you lose access. You need a new invitation to return.',
  leaveTitle: 'Leave {{name}}?',
  left: 'You have left {{name}}.',
  only: 'This is your only organization. To leave it, delete your account.',
  text: 'You use the same account for all of them.',
  title: 'Your organizations',
  username: 'as {{username}}',
}

export const ownProfile = {
  attributes: 'About you',
  attributesSaved: 'Details saved.',
  choosePicture: 'Choose picture',
  lines: 'One entry per line.',
  nicknameHint: 'Lists and invitations show it in place of your username. The audit log keeps your username.',
  no: 'No',
  notPicture: 'Choose a PNG, JPEG or WebP file. This one can’t be read as an image.',
  pictureRemoved: 'Picture removed.',
  pictureSaved: 'Picture saved.',
  preferences: 'Language and time zone',
  preferencesText: 'This browser remembers your language and time zone. E-mails use the same language.',
  removePicture: 'Remove picture',
  saved: 'Display name saved.',
  systemZone: 'System ({{zone}})',
  timeZone: 'Time zone',
  yes: 'Yes',
}

export const profile = {
  changeEmail: 'Change e-mail',
  changeEmailText:
    'A link is sent to the new e-mail. Your e-mail changes once you open the link while signed in, and confirm.',
  changePasswordText: 'This signs you out everywhere else.',
  changeSent:
    'A link has been sent to {{email}}. Your e-mail changes when you open it within 24 hours and confirm. If nothing arrives, check your spam folder.',
  email: 'Your e-mail',
  emailFixed: 'This installation sends no e-mails, so only an administrator can change your e-mail.',
  emailText: 'You use it to sign in and to reset a forgotten password.',
  newEmail: 'New e-mail',
  newPassword: 'New password',
  noRoles: 'You have no roles.',
  oldPassword: 'Current password',
  passwordChanged: 'Password changed.',
  roles: 'Your roles',
  sendLink: 'Send link',
  sendVerification: 'Send confirmation link',
  verificationSent: 'If {{email}} isn’t confirmed yet, a link has been sent. It works for 24 hours.',
}

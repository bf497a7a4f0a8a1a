export const profile = {
  again: 'New password again',
  changeEmail: 'Change e-mail',
  changeEmailText:
    'A link goes to the new e-mail. Nothing changes before you open it and confirm, signed in.',
  changePasswordText: 'This signs you out everywhere else.',
  changeSent:
    'A link is on its way to {{email}}. Your e-mail changes when you open it within 24 hours and confirm. If nothing arrives, check your spam folder.',
  email: 'Your e-mail',
  emailFixed: 'This installation sends no e-mails, so you cannot change yours. An administrator can.',
  emailText: 'You sign in with it, and a forgotten password is replaced by a link to it.',
  newEmail: 'New e-mail',
  newPassword: 'New password',
  noRoles: 'You have no role.',
  oldPassword: 'Current password',
  passwordChanged: 'Password changed.',
  passwordsDiffer: 'The two are not the same',
  permissions_one: '{{count}} permission',
  permissions_other: '{{count}} permissions',
  roles: 'Your roles',
  sendLink: 'Send the link',
  sendVerification: 'Send the confirmation link again',
  verificationSent: 'If {{email}} is not confirmed yet, a link is on its way there. It works for 24 hours.',
}

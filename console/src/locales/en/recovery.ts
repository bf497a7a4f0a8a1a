/** The pages that a person without their password, or with a mailed link, sees. */
export const recovery = {
  confirmText: 'A link was mailed to {{email}}. Open it, and then go on here.',
  askAgain: 'Ask again',
  dead: 'This link does not work',
  forgotHint: 'Enter the e-mail of your account. You get a link to choose a new password.',
  forgotSubmit: 'Send the link',
  newLink: 'Request a new link',
  newPassword: 'New password',
  nothing:
    'No e-mail after a few minutes? Check your spam folder and the address. An administrator of your organization can tell you the address of your account.',
  otherAccount: 'Sign in to another account',
  resetDead: 'It was used already, is more than 30 minutes old, or was not copied whole.',
  resetDone: 'Your new password is set. Sign in with it.',
  resetHint: 'This signs you out everywhere.',
  resetSubmit: 'Set the password',
  sent: 'Check your e-mail',
  sentText: 'If {{email}} belongs to an account, a link is on its way there. It works once, for 30 minutes.',
  signInFirst: 'Sign in to the account that the link was sent for. Then you can confirm its e-mail.',
  toProfile: 'To your profile',
  toSignIn: 'Back to the sign-in',
  verified: 'E-mail confirmed.',
  verifyDead:
    'It was used already, is more than 24 hours old, or was not copied whole. Your profile sends a new one.',
  verifyHint: 'Confirm only if you registered this account, or asked for this link yourself.',
  verifySubmit: 'Confirm the e-mail',
}

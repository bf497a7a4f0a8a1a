/** The pages that a person without their password, or with a mailed link, sees. */
export const recovery = {
  askAgain: 'Ask again',
  dead: 'This link does not work',
  forgotHint: 'Enter the e-mail of your account to get a link for a new password.',
  forgotSubmit: 'Send the link',
  newLink: 'Request a new link',
  newPassword: 'New password',
  nothing:
    'No e-mail after a few minutes? Check your spam folder and the address. An administrator of your organization can tell you the address of your account.',
  otherAccount: 'Sign in to another account',
  resetDead: 'It was used, is older than 30 minutes, or was not copied completely.',
  resetDone: 'Your new password is set. Sign in with it.',
  resetHint: 'This signs you out everywhere.',
  resetSubmit: 'Set the password',
  sent: 'Check your e-mail',
  sentText: 'If {{email}} belongs to an account, a link has been sent. It works once, within 30 minutes.',
  signInFirst: 'Sign in to the account that this link belongs to. Then you can confirm its e-mail.',
  toApplication: 'Go to {{name}}',
  toProfile: 'Open your profile',
  toSignIn: 'Back to sign-in',
  verified: 'E-mail confirmed.',
  verifyDead:
    'It was used, is older than 24 hours, or was not copied completely. Send a new one from your profile.',
  verifyHint: 'Confirm only if you registered this account, or asked for this link yourself.',
  verifySubmit: 'Confirm the e-mail',
}

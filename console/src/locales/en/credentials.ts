/** The pages for a lost password, and those of mailed links. */
export const recovery = {
  askAgain: 'Request another link',
  changed: 'Password changed',
  dead: 'This link no longer works',
  forgotHint: 'Enter your account’s e-mail. You’ll get a link to choose a new password.',
  forgotSubmit: 'Send link',
  newLink: 'Request a new link',
  newPassword: 'New password',
  nothing:
    'No e-mail after a few minutes? Check your spam folder and the e-mail you entered. An administrator of your organization can tell you which e-mail your account uses.',
  otherAccount: 'Sign in to another account',
  resetDead: 'It was already used, is older than 30 minutes, or wasn’t copied completely.',
  resetDone: 'Your new password is set. Sign in with it.',
  resetHint:
    'This signs you out everywhere. If you never confirmed your e-mail, it also turns off two-step verification.',
  resetSubmit: 'Set password',
  sent: 'Check your e-mail',
  sentText:
    'If {{email}} belongs to an account, a link has been sent. It works once and expires in 30 minutes.',
  signInFirst: 'Sign in to the account that this link belongs to. Then you can confirm its e-mail.',
  toApplication: 'Go to {{name}}',
  toProfile: 'Open your profile',
  toSignIn: 'Back to sign-in',
  verified: 'E-mail confirmed.',
  verifyDead:
    'It was already used, is older than 24 hours, or wasn’t copied completely. Send a new one from your profile.',
  verifyHint: 'Confirm only if you registered this account, or requested this link yourself.',
  verifyPassword:
    'This e-mail hasn’t been confirmed before. Choose a new password to make the account yours.',
  verifySubmit: 'Confirm e-mail',
}

/** The pages on which people create organizations. */
export const signUp = {
  again: 'Request another link',
  ask: 'Send link',
  created: '{{organization}} has been created. Sign in again to continue.',
  dead: 'It was already used, is older than 24 hours, or wasn’t copied completely.',
  done: '{{organization}} has been created, and you’re its administrator.',
  inFile: 'No mail server is set up, so the e-mail is saved as a file in the service’s data/mail folder.',
  name: 'Organization name',
  new: 'Choose your username and password.',
  newLink: 'Request a new link',
  nothing: 'No e-mail after a few minutes? Check your spam folder and the e-mail you entered.',
  otherSession: 'This link is for {{invited}}, but you’re signed in as {{own}}. Sign out to continue.',
  own: 'Create an organization',
  ownText: 'You’ll be its administrator, and switch to it right away.',
  password:
    'You already have an account with this e-mail. Choose your username in the organization, and enter your password.',
  sent: 'Check your e-mail',
  sentText: 'A link was sent to {{email}}. It works once and expires in 24 hours.',
  session: 'You’re signed in with this e-mail. Choose your username in the organization.',
  slug: 'Slug',
  slugHint: 'A short name for URLs, in lowercase letters and digits.',
  submit: 'Create organization',
  text: 'You’ll get a link by e-mail. Nothing is created until you open it.',
  welcome: 'You’re creating {{organization}}, and you’ll be its administrator.',
}

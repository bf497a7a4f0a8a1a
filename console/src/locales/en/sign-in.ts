export const signIn = {
  closed: 'Registration is closed',
  closedHint: 'Ask an administrator of your organization to create an account for you, then sign in with it.',
  ended: 'Your session has ended. Sign in to go on where you were.',
  first: 'Create the first administrator',
  firstHint:
    'Nobody has an account here yet. The first one becomes platform administrator, and manages every tenant, user, role and setting.',
  firstSubmit: 'Create the administrator',
  haveAccount: 'Have an account?',
  noAccount: 'No account yet?',
  register: 'Create an account',
  registerSubmit: 'Create the account',
  submit: 'Sign in',
  title: 'Sign in',
  forgot: 'Forgot your password?',
  reset: 'Choose a new password',
  verify: 'Confirm your e-mail',
  secondFactor: 'Add a second factor',
}

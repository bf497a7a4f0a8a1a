export const signIn = {
  ended: 'Your session has ended. Sign in to go on where you were.',
  haveAccount: 'Have an account?',
  noAccount: 'No account yet?',
  register: 'Create an account',
  registerSubmit: 'Create the account',
  submit: 'Sign in',
  title: 'Sign in',
}

/** The pages of the own account, with a way back to the console. */
export const accountPages = {
  profile: '/account/profile?client_id=console',
  signIn: '/account/sign-in?client_id=console',
  organizations: '/account/organizations?client_id=console',
}

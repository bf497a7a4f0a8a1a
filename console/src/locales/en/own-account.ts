/** The texts of the pages of the own account. */
export { grants, memberships, ownProfile, profile, sessions } from './account.ts'
export { factors, recovery, signUp } from './credentials.ts'
export { errors } from './errors.ts'
export { hosted } from './hosted.ts'
export { common, fieldFaults, fields, passwordFaults, signIn } from './kit.ts'

export const ownAccount = {
  changePassword: 'Change password',
  data: 'Data',
  devices: 'Devices',
  organization: 'Organization',
  organizations: 'Organizations',
  person: 'You',
  personText: 'Other people of your organization see your name and your picture.',
  profile: 'Profile',
  roles: 'Your roles in {{name}}',
  signIn: 'Sign-in',
  signOut: 'Sign out',
  title: 'Your account',
}

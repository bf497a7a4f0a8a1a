export const profile = {
  again: 'New password again',
  changePassword: 'Change password',
  changePasswordText: 'This signs you out everywhere else.',
  newPassword: 'New password',
  noRoles: 'You have no role.',
  oldPassword: 'Current password',
  passwordChanged: 'Your password is changed.',
  passwordsDiffer: 'The two are not the same',
  permissions_one: '{{count}} permission',
  permissions_other: '{{count}} permissions',
  roles: 'Your roles',
  title: 'Your profile',
}

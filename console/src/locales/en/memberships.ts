export const memberships = {
  current: 'You are here',
  deleteAccount: 'Delete your account',
  deleteHint: 'It takes you out of every tenant, and cannot be undone.',
  deleteTitle: 'Delete your account?',
  erased: 'This erases:',
  erasedAccount: 'your account, with its password, second factors and sessions',
  erasedForGood:
    'Nobody can bring it back. The audit logs of the tenants keep their records of what you did there.',
  erasedUser: 'the user {{username}} in {{name}}, with roles and notifications',
  goOnIn: 'You go on in {{name}}.',
  goOnNowhere: 'You are signed out, because all your other tenants are disabled.',
  leave: 'Leave',
  leaveOne: 'Leave {{name}}',
  leaveText:
    'Your user there is deleted, with its roles and notifications. Only a new invitation brings you back.',
  leaveTitle: 'Leave {{name}}?',
  left: 'You have left {{name}}.',
  only: 'This is your only tenant. You leave it by deleting your account.',
  text: 'You sign in to all of them with the same account. The header leads from one to another.',
  title: 'Your tenants',
  username: 'as {{username}}',
}

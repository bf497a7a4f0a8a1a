export const onlyConnection = {
  addBreakGlass: 'Add break-glass user',
  breakGlass: 'Break-glass users',
  breakGlassAdded: 'Break-glass user added.',
  breakGlassHint:
    'Up to 3 users who can always sign in by password and second factor, for the day on which the provider does not work. Each of their sign-ins is reported to all who manage the sign-in.',
  breakGlassNoFactor: 'Has no second factor any more, so the exemption opens nothing.',
  breakGlassRemoved: 'Break-glass user removed.',
  breakGlassText:
    'Choose a user with a second factor who does not come from a directory. Keep the password where you find it without the provider.',
  exemptRefused: 'This user has no second factor, or comes from a directory.',
  isNotOnly: 'Other ways in are open',
  isNotOnlyText: 'People can also sign in by password and passkey.',
  isOnly: 'Only the connection leads in',
  isOnlyText:
    'Passwords, passkeys, invitations and registration open nothing here, but for break-glass users and service accounts.',
  madeOnly: 'Only the connection leads in now.',
  madeOptional: 'Other ways in are open again.',
  makeOnly: 'Let people in by the connection alone',
  makeOnlyText:
    'Every session that was not opened by an active connection ends at once, but for those of break-glass users. Passwords and invitations open nothing here any more.',
  makeOnlyTitle: 'Let people in by the connection alone?',
  makeOptional: 'Open other ways again',
  makeOptionalText: 'People can again sign in by password and passkey, and accept invitations.',
  makeOptionalTitle: 'Open other ways again?',
  needsActive: 'An active connection.',
  needsBreakGlass: 'A break-glass user with a second factor.',
  needsOwnSession:
    'A session that you opened by the connection within the last hour: sign out, and sign in by it.',
  noBreakGlass: 'No break-glass users yet.',
  noUsersFound: 'No users match',
  only: 'Nothing but the connection',
  onlyHint: 'Whoever is blocked at the provider then has no other way in.',
  onlyNeeds: 'It takes, so that nobody is locked out:',
  removeBreakGlass: 'Remove',
  removeBreakGlassOf: 'Remove {{name}}',
  removeBreakGlassText:
    'Where only the connection leads in, the sessions of this user end, and their password opens nothing here any more.',
  removeBreakGlassTitle: 'Remove {{name}} from the break-glass users?',
  unlinkText:
    'Sessions that the provider opened end at once. The next sign-in there links the user anew, by the same rules. Do it where an address has changed hands.',
  unlinkTitle: 'Unlink {{name}} from the provider?',
  unlinked: 'User unlinked from the provider.',
}

/** The texts of the windows about ends of roles, which a page fetches when one opens. */
export const roleEndForms = {
  alreadyHave_one: '{{count}} of {{selected}} already has this role.',
  alreadyHave_other: '{{count}} of {{selected}} already have this role.',
  changeTitle: 'When should {{name}}’s role {{role}} end?',
  changed: 'End date changed.',
  ends: 'Ends',
  lackIt_one: '{{count}} of {{selected}} doesn’t have this role.',
  lackIt_other: '{{count}} of {{selected}} don’t have this role.',
  madeEligible: 'The user can activate this role from now on.',
  makeEligibleTitle: 'Make {{name}} eligible for a role',
  maxMinutes: 'Maximum minutes per activation',
  never: 'Never',
  role: 'Role',
  selectFirst: 'Select users to see what they gain.',
  toDisabled_one:
    '{{count}} of these users is disabled. They get the role now, but can’t use it until they are enabled.',
  toDisabled_other:
    '{{count}} of these users are disabled. They get the role now, but can’t use it until they are enabled.',
}

export const elevationForm = {
  minutes: 'Minutes',
  none: 'You aren’t eligible for any role. An administrator can make you eligible.',
  reason: 'Reason',
  reasonHint: 'The audit log keeps it.',
  role: 'Role',
  start: 'Activate',
  started: 'You have the role {{role}} until {{time}}.',
  text: 'You get the role in this session only.',
}

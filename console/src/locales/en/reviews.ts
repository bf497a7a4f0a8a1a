/** The texts of the pages about access reviews. */
export const reviews = {
  about: 'Reviewers decide who keeps their roles, access keys and consents.',
  allKinds: 'All types',
  allOutcomes: 'All decisions',
  by: 'By {{name}}',
  close: 'Close review',
  closeDone: 'Everything is decided. The report is sealed, and no one can change it.',
  closeOne: 'Close the review {{name}}?',
  closeText_one:
    '{{count}} entry is undecided and stays as it is. The report is sealed, and no one can change it.',
  closeText_other:
    '{{count}} entries are undecided and stay as they are. The report is sealed, and no one can change it.',
  closed: 'Closed',
  closedText: 'The review is over. Its report can’t be changed.',
  closedAt: 'Closed',
  comment: 'Comment',
  copyHash: 'Copy the hash',
  decided: 'Progress',
  decidedOf: '{{done}} of {{total}} decided',
  decision: 'Decision',
  due: 'Due',
  dueHint: 'The review closes then. Undecided entries stay as they are.',
  expires: 'Expires',
  expiresNever: 'Never',
  given: 'Assigned',
  hash: 'SHA-256 of the report',
  hashHint: 'The audit log keeps it in a sealed record.',
  inDays_one: 'In {{count}} day',
  inDays_other: 'In {{count}} days',
  isClosed: 'Review {{name}} closed.',
  items: 'Entries',
  keep: 'Keep',
  keepText: 'The access stays as it is. Your decision goes into the report.',
  keepTitle_one: 'Keep {{count}} entry?',
  keepTitle_other: 'Keep {{count}} entries?',
  kinds: 'Types',
  lastUsed: 'Last used',
  nameExample: 'First quarter',
  noItems: 'This review has no entries.',
  noItemsFound: 'No entries match',
  noKind: 'Choose at least one type.',
  none: 'No access reviews yet',
  noneFound: 'No reviews with this status',
  noneText: 'A review lists who has access. Reviewers keep or revoke each entry before the due date.',
  open: 'Open',
  openOne: 'Create review',
  openText: 'When the review closes, undecided entries stay as they are.',
  opened: 'Review {{name}} created.',
  openedAt: 'Created',
  openedBy: 'Created by',
  overview: 'Overview',
  ownLeft_one: '{{count}} entry is about you. Another reviewer must decide on it.',
  ownLeft_other: '{{count}} entries are about you. Another reviewer must decide on them.',
  report: 'Download report',
  reportSaved: 'Report of {{name}} downloaded.',
  reviewers: 'Reviewers',
  reviewersWrong: 'Choose 1 to 20 reviewers.',
  reviewerText:
    'Select entries, then keep or revoke them. When the review closes, undecided entries stay as they are.',
  revoke: 'Revoke',
  revokeText:
    'Roles, keys and consents end immediately, if your permissions allow it. Roles from a group stay.',
  revokeTitle_one: 'Revoke {{count}} entry?',
  revokeTitle_other: 'Revoke {{count}} entries?',
  subject: 'Account',
  what: 'Access',
}

export const reviewOutcomes = {
  pending: 'Undecided',
  changed: 'Changed',
  refused: 'Refused',
  kept: 'Kept',
  revoked: 'Revoked',
  gone: 'Already ended',
  directory: 'Kept by a group',
}

export const reviewHints = {
  changed: 'It has changed. Decide again.',
  refused: 'It needs a reviewer with more permissions.',
  directory: 'Remove the user from the group.',
}

export const reviewKinds = { roles: 'Roles', keys: 'Access keys', grants: 'Consents' }

export const reviewKindsOne = { keys: 'Access key', grants: 'Consent' }

/** How a user got a role. */
export const reviewSources = {
  manual: 'Role',
  default: 'Role of new users',
  invitation: 'Role from an invitation',
  sso: 'Role from a group',
  eligible: 'Eligible role',
  consent: 'Consent',
}

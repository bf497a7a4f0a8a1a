/** The texts of support sessions. */
export const support = {
  about: 'Work as a user for a few minutes, to see what they see. Every session is recorded.',
  actor: 'Requested by',
  allStatuses: 'All',
  allow: 'Allow',
  allowed: 'Support session allowed.',
  allowedBy: 'Allowed by',
  ask: 'Send request',
  askText:
    'You see what the user sees. The user or someone who can allow support must agree, unless the organization has other rules. Everything you do is recorded under your name.',
  askTitle: 'Work as {{name}}',
  asked: 'Requested',
  continue: 'Continue',
  count: 'Count',
  decidedBy: 'Decided by',
  end: 'End',
  endText: 'The session ends immediately.',
  endTextMine: 'You can ask again.',
  endTitle: 'End the support session?',
  ended: 'Ended',
  endedHere: 'The support session has ended',
  endedHereText: 'This tab is back in your own session.',
  ends: 'Ends',
  expires: 'Request expires',
  isAsked: 'Request to work as {{name}} sent.',
  isOver: 'Support session ended.',
  isReady: 'You can now work as {{name}}.',
  kind: 'Type',
  less: 'Show less',
  list: 'Support sessions',
  method: 'Method',
  mine: 'Yours',
  minutes: 'Minutes',
  minutesHint: '5 to 60. The time starts when the session starts, and can’t be extended.',
  minutesLong_one: '{{count}} minute',
  minutesLong_other: '{{count}} minutes',
  minutesWrong: 'Enter 5 to 60 minutes.',
  more: 'Show all',
  mostFrequent: 'The {{count}} most frequent requests.',
  noPermissions: 'Only the user’s profile',
  noRequests: 'Nothing was opened in this session.',
  none: 'No support sessions yet',
  noneAsked: 'When someone asks to work as a user, the request appears here.',
  noneFound: 'No support sessions with this status',
  noneText: 'Open a user and choose “Support” to ask for one.',
  ofTenant: 'This organization',
  openProduct: 'Open {{name}}',
  overview: 'Overview',
  path: 'Path',
  permissions: 'Permissions',
  reason: 'Reason',
  reasonHint: 'The user sees it.',
  refuse: 'Refuse',
  refused: 'Support session refused.',
  refusedBy: 'Refused by',
  requests: 'Requests',
  rules: 'Support settings',
  staff: '{{name}} (staff)',
  start: 'Start',
  time: 'Duration',
  title: '{{actor}} as {{user}}',
  toUsers: 'Open users',
  user: 'User',
  wantsAsMe: '{{actor}} wants to work as you',
  wantsAsOther: '{{actor}} wants to work as {{user}}',
  wantsMine: 'You want to work as {{user}}',
  worksAsMe: '{{actor}} is working as you',
  worksAsOther: '{{actor}} is working as {{user}}',
  worksMine: 'You’re working as {{user}}',
  withdraw: 'Withdraw request',
  withdrawTitle: 'Withdraw the request?',
  withdrawn: 'Request withdrawn.',
}

export const supportEnds = {
  time: 'Its time was up.',
  actor: 'The person working as the user ended it.',
  user: 'The user ended it.',
  tenant: 'Someone who can allow support ended it.',
  authority: 'It was no longer allowed.',
}

export const supportKinds = { view: 'View', act: 'Act' }

export const supportKindTexts = {
  view: 'You can only read.',
  act: 'You can also use the product, and change its settings.',
}

export const supportStatuses = {
  waiting: 'Waiting',
  ready: 'Ready',
  active: 'Running',
  over: 'Ended',
  refused: 'Refused',
  expired: 'Expired',
}

/** The frame around the pages of a support session. */
export const supportFrame = {
  act: 'You can use the product and change its settings.',
  end: 'End',
  left_one: '{{count}} minute left',
  left_other: '{{count}} minutes left',
  view: 'You can only read.',
  worksAs: 'You’re working as {{user}}.',
}

/** The settings of a tenant about support. */
export const supportRules = {
  access: 'Access by the operator’s staff',
  allowed: 'Allowed without asking',
  ask: 'Ask first',
  colleagues: 'Access by colleagues with the support permission',
  hint: 'Others can work as a user for a few minutes. Every session is recorded.',
  needs: 'Only users of this organization who can allow support can change this.',
  notice: 'Ask and notify the user',
  noticeHint: 'If this is off, only users who can allow support are asked.',
  off: 'Not allowed',
  title: 'Support access',
}

/** The question of a product before it is opened in a support session. */
export const supportEntrance = {
  hint: 'The product then shows what the user sees, until the support session ends.',
  open: 'Open product',
  text: 'Open {{application}} as {{user}}?',
  title: 'Open a product as the user',
}

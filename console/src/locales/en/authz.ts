export const authz = {
  affected_one: '{{said}} user gains or loses permissions:',
  affected_other: '{{said}} users gain or lose permissions:',
  effect: 'Who gains, and who loses',
  gains: 'Gains {{names}}',
  looking: 'Looking at what this changes…',
  loses: 'Loses {{names}}',
  more_one: 'and {{said}} more, not named here',
  more_other: 'and {{said}} more, not named here',
  nobody: 'No user gains or loses a permission.',
  notKnown: 'The effect is unknown. You can go on without it.',
  notPermitted:
    'Seeing who gains and who loses takes the permissions user:read and role:read. You can go on without it.',
  othersGoOn: 'Other changes are made nevertheless. Their effect is not known until this one is left out.',
  ownLoss: 'You yourself lose, and may not be able to give back:',
  refused: 'This would be refused',
  refusedOne: 'This would be refused for {{name}}',
  tooMany:
    'The service looks at 20 changes at once, and these are more. You can go on, or choose fewer to see who gains and who loses.',
  tooSlow:
    'The service could not tell within 2 seconds: this touches too many users. You can go on without it.',
  twice: 'You are looking at another change at the same time. Try again in a moment, or go on without it.',
  unknown: 'The effect is unknown',
}

export const authz = {
  affected_one: '{{said}} user is affected:',
  affected_other: '{{said}} users are affected:',
  effect: 'Effect on users',
  gains_one: 'Gains {{names}}',
  gains_other: 'Gain {{names}}',
  looking: 'Checking what this changes…',
  loses_one: 'Loses {{names}}',
  loses_other: 'Lose {{names}}',
  more_one: 'and {{said}} more',
  more_other: 'and {{said}} more',
  nobody: 'No users are affected.',
  notKnown: 'The effect is unknown. You can continue without it.',
  notPermitted:
    'To see the effect on users, you need the permissions user:read and role:read. You can continue without it.',
  othersGoOn: 'The other changes will be made. Their effect is unknown as long as this one is included.',
  ownLoss: 'You lose these permissions yourself and may not be able to get them back:',
  refused: 'This would be refused',
  refusedOne: 'The change for {{name}} would be refused',
  tooMany:
    'The effect is shown for up to 20 changes at once. You can continue, or choose fewer to see the effect.',
  tooSlow:
    'The effect could not be computed within 2 seconds, because too many users are affected. You can continue without it.',
  twice: 'Another preview is still running. Try again in a moment, or continue without it.',
  unknown: 'The effect is unknown',
}

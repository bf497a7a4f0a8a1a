/** Proves roles that end, elevations, support sessions, approvals and reviews. */
import type { Suite } from '../../suite.ts'
import { withProvider } from '../people/stage.ts'
import { proveApprovals } from './approvals.ts'
import { proveElevations } from './elevations.ts'
import { proveEnds } from './ends.ts'
import { proveGifts } from './gifts.ts'
import { proveKilled } from './killed.ts'
import { proveReviews } from './reviews.ts'
import { proveSupport } from './support.ts'

export const authority: Suite = {
  name: 'authority',
  kinds: ['embedded', 'services'],
  prove: (target, record) =>
    withProvider(target, async (stage, provider) => {
      await proveEnds(stage, record)
      await proveGifts(stage, provider, record)
      await proveElevations(stage, record)
      await proveSupport(stage, record)
      await proveApprovals(stage, provider, record)
      await proveReviews(stage, record)
      await proveKilled(target, stage, record)
    }),
}

import type { Parts } from '../../../context.ts'
import { sweep } from '../../../db/sweep.ts'
import { sweepClients } from '../applications/unregistered.service.ts'
import { expiredAuthorizations } from './sweep.store.ts'

/** Deletes expired sign-ins, interactions and codes. Deletes unused clients that registered themselves. */
export const sweepAuthorizations = async ({ store, now }: Pick<Parts, 'store' | 'now'>): Promise<void> => {
  for (const past of expiredAuthorizations(now())) await sweep(store, past)
  await sweepClients({ store, now })
}

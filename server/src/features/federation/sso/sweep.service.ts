import type { Parts } from '../../../context.ts'
import { sweep } from '../../../db/sweep.ts'
import { pastSignIns } from './sweep.store.ts'

/** Deletes ways to providers and outcomes of sign-ins whose time is over. */
export const sweepSignInsBySso = async ({ store }: Pick<Parts, 'store'>): Promise<void> => {
  for (const past of pastSignIns) await sweep(store, past)
}

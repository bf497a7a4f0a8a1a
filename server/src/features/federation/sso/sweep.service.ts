import type { Parts } from '../../../context.ts'
import { sweep } from '../../../db/sweep.ts'
import { pastSignIns } from './sweep.store.ts'

/** Deletes expired attempts and outcomes of sign-ins. */
export const sweepSignInsBySso = async ({ store }: Pick<Parts, 'store'>): Promise<void> => {
  for (const past of pastSignIns) await sweep(store, past)
}

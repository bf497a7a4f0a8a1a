import type { Parts } from '../../../context.ts'
import { sweep } from '../../../db/sweep.ts'
import { pastAttempts } from './sweep.store.ts'

/** Deletes expired attempts at providers. */
export const sweepProviderAttempts = ({ store }: Pick<Parts, 'store'>): Promise<void> =>
  sweep(store, pastAttempts)

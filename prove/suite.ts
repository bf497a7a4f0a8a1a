import type { Proof } from './report.ts'
import type { Target } from './target.ts'

/** Records one promise with its proof. */
export type Prove = (promise: string, proof: Proof) => Promise<void>

/** A group of promises; `kinds`: the targets it makes sense on. */
export interface Suite {
  name: string
  kinds: Target['kind'][]
  prove: (target: Target, prove: Prove) => Promise<void>
}

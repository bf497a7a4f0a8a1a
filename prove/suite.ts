import type { Proof } from './report.ts'
import type { Target } from './target.ts'

/** Runs one proof and records its promise. */
export type Prove = (promise: string, proof: Proof) => Promise<void>

/** A group of promises; `kinds` names the targets that can run it. */
export interface Suite {
  name: string
  kinds: Target['kind'][]
  prove: (target: Target, prove: Prove) => Promise<void>
}

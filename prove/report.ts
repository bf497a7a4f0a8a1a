/** A promise and how it was seen to hold: one line for people, one row for docs/guarantees.md. */
export interface Outcome {
  suite: string
  promise: string
  passed: boolean
  /** What was done and measured: counts, delays, sizes. */
  evidence: string
  seconds: number
}

/** Proves one promise: resolves with the evidence, throws when it is broken. */
export type Proof = () => Promise<string>

const seconds = (ms: number) => Math.round(ms / 100) / 10

const messageOf = (err: unknown): string => (err instanceof Error ? err.message : String(err))

const print = ({ passed, promise, evidence, seconds: took }: Outcome): void => {
  const [mark, color] = passed ? ['✓', 32] : ['✗', 31]
  const painted = process.stdout.isTTY ? `\u001B[${color}m${mark}\u001B[0m` : mark
  process.stdout.write(`  ${painted} ${promise} — ${evidence} (${took} s)\n`)
}

/** Collects what a run proves, and prints a line per promise as it is decided. */
export class Report {
  readonly outcomes: Outcome[] = []

  /** Runs one proof. A broken promise is recorded, and the run goes on. */
  async prove(suite: string, promise: string, proof: Proof): Promise<void> {
    const startedAt = performance.now()
    const evidence = await proof().then(
      (text) => ({ passed: true, evidence: text }),
      (err: unknown) => ({ passed: false, evidence: messageOf(err) }),
    )
    const outcome = { suite, promise, ...evidence, seconds: seconds(performance.now() - startedAt) }
    this.outcomes.push(outcome)
    print(outcome)
  }

  get failed(): number {
    return this.outcomes.filter(({ passed }) => !passed).length
  }
}

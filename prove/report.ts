/** The result of one promise: a line on the terminal, and a row of the file of results. */
export interface Outcome {
  suite: string
  promise: string
  result: 'holds' | 'broken' | 'not proved'
  /** The actions and measurements of the proof: counts, delays, sizes. */
  evidence: string
  seconds: number
}

/** This machine lacks something that the proof needs: the promise counts neither as holding nor as broken. */
export class NotArranged extends Error {}

/** Proves one promise: resolves with the evidence, and throws when the promise is broken. */
export type Proof = () => Promise<string>

const seconds = (ms: number) => Math.round(ms / 100) / 10

const messageOf = (err: unknown): string => (err instanceof Error ? err.message : String(err))

const marks = { holds: ['✓', 32], broken: ['✗', 31], 'not proved': ['-', 33] } as const

const print = ({ result, promise, evidence, seconds: took }: Outcome): void => {
  const [mark, color] = marks[result]
  const painted = process.stdout.isTTY ? `\u001B[${color}m${mark}\u001B[0m` : mark
  process.stdout.write(`  ${painted} ${promise} — ${evidence} (${took} s)\n`)
}

/** Collects the outcomes of a run and prints each promise when its proof ends. */
export class Report {
  readonly outcomes: Outcome[] = []

  /** Runs one proof. The run continues after a broken promise. */
  async prove(suite: string, promise: string, proof: Proof): Promise<void> {
    const startedAt = performance.now()
    const evidence = await proof().then(
      (text) => ({ result: 'holds' as const, evidence: text }),
      (err: unknown) => ({
        result: err instanceof NotArranged ? ('not proved' as const) : ('broken' as const),
        evidence: messageOf(err),
      }),
    )
    const outcome = { suite, promise, ...evidence, seconds: seconds(performance.now() - startedAt) }
    this.outcomes.push(outcome)
    print(outcome)
  }

  count(wanted: Outcome['result']): number {
    return this.outcomes.filter(({ result }) => result === wanted).length
  }
}

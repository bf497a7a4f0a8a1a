/**
 * `npm run bench:bounds` sends the worst inputs of all parsers and validators, and fails where the event loop is held up for
 * longer than its bound.
 */
import { Command } from 'commander'
import { wholeNumber } from './arguments.ts'
import { flagInputs, settingInputs } from './bounds/settings.ts'
import type { Input } from './bounds/input.ts'
import { peopleInputs } from './bounds/people.ts'
import { requestInputs } from './bounds/requests.ts'
import { openStage, type Stage } from './bounds/stage.ts'
import { progress } from './progress.ts'
import { machine, writeBounds } from './results.ts'
import { align, markdown } from './tables.ts'

/** The promise of docs/guarantees.md. */
const boundMs = 50

/**
 * A short run fails beyond this. On a machine that others share, slow memory made 100 ms of a turn of 10 ms. A faulty
 * parser takes seconds.
 */
const shortBoundMs = 200

interface Options {
  only: string
  rounds: number
  short: boolean
  write: boolean
}

interface Measured extends Input {
  ms: number
  /** Another status than the expected one, with the answer. */
  fault: string | undefined
}

const measure = async (stage: Stage, input: Input, { rounds, short }: Options): Promise<Measured> => {
  progress(input.what)
  await input.prepare?.(stage)
  const turns: number[] = []
  let fault: string | undefined
  for (let round = 0; round < rounds; round += 1) {
    if (short && turns.some((ms) => ms <= boundMs)) break
    const work = async () => {
      const { status, text } = await input.send(stage, round)
      if (status !== input.status) fault = `${status} in place of ${input.status}: ${text.slice(0, 200)}`
    }
    turns.push(await stage.turnMs(work))
  }
  return { ...input, ms: Math.min(...turns), fault }
}

const rowsOf = (all: Measured[]): string[][] => [
  ['Input', 'Bound', 'Milliseconds'],
  ...all.map(({ what, bound, ms }) => [what, bound, String(Math.round(ms))]),
]

/** The worst input of each bound. */
const worstOf = (all: Measured[]): Measured[] => {
  const worst = new Map<string, Measured>()
  for (const one of all) if (one.ms > (worst.get(one.bound)?.ms ?? -1)) worst.set(one.bound, one)
  return [...worst.values()]
}

const run = async (options: Options): Promise<void> => {
  const { only, rounds, short, write } = options
  const limitMs = short ? shortBoundMs : boundMs
  const inputs = [...requestInputs, ...settingInputs, ...flagInputs, ...peopleInputs]
  const stage = await openStage()
  const all: Measured[] = []
  try {
    for (const input of inputs.filter(({ what }) => what.includes(only))) {
      all.push(await measure(stage, input, options))
    }
  } finally {
    await stage.close()
  }
  const failures = all.flatMap(({ what, ms, fault }) => [
    ...(fault === undefined ? [] : [`${what}: ${fault}`]),
    ...(ms > limitMs ? [`${what}: ${Math.round(ms)} ms, and at most ${limitMs} pass`] : []),
  ])
  process.stdout.write(`\n${align(rowsOf(all))}\n\n${failures.map((line) => `✗ ${line}\n`).join('')}`)
  if (failures.length > 0) process.exitCode = 1
  if (write) {
    await writeBounds(`${markdown(rowsOf(worstOf(all)))}\n\nThe least of ${rounds} rounds, on ${machine()}.`)
  }
}

const program = new Command('bench:bounds')
  .description('measure the longest turn of the event loop for the worst inputs')
  .option('--only <words>', 'only inputs whose description contains this text', '')
  .option('--rounds <number>', 'requests of each input', wholeNumber, 3)
  .option('--short', 'one request of each input, and further ones only beyond the bound', false)
  .option('--write', 'write the table of docs/guarantees.md', false)

await run(program.parse().opts<Options>())

/**
 * `npm run prove` tries to break each promise of docs/guarantees.md and prints one line per promise. It starts a
 * service of its own, or takes the URL and an administrator's credentials of a running one.
 */
import { Command, Option } from 'commander'
import { Report } from './report.ts'
import { markProved, writeResults } from './results.ts'
import { suites } from './suites.ts'
import { embeddedStores, givenTarget, ownTarget, serviceStores, type Target } from './target.ts'

interface Options {
  url?: string
  email?: string
  stores: 'embedded' | 'services'
  short: boolean
  only: string[]
  promise: string[]
  write: boolean
  results?: string
}

const openStores = { embedded: embeddedStores, services: serviceStores }

const open = async (options: Options): Promise<Target> => {
  const { url, email, stores, short } = options
  if (url === undefined) return ownTarget(await openStores[stores](), short)
  const password = process.env['PROVE_PASSWORD']
  if (email === undefined || !password) {
    throw new Error('--url needs --email, and PROVE_PASSWORD in the environment')
  }
  return givenTarget(url.replace(/\/$/, ''), { email, password }, short)
}

const runSuites = async (
  target: Target,
  { only, promise: wanted }: Options,
  report: Report,
): Promise<void> => {
  for (const { name, kinds, prove } of suites) {
    const isWanted = only.length === 0 || only.includes(name)
    if (!isWanted || !kinds.includes(target.kind)) continue
    process.stdout.write(`${name}\n`)
    await prove(target, async (promise, proof) => {
      const isTried = wanted.length === 0 || wanted.some((words) => promise.includes(words))
      if (isTried) await report.prove(name, promise, proof)
    })
  }
}

/** Rejects on a signal, so that the run ends everything that a suite has started. */
const interruption = (): Promise<never> =>
  new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => reject(new Error(`ended by ${signal}`)))
    }
  })

const write = async ({ outcomes }: Report, stores: Target['kind'], options: Options): Promise<void> => {
  const { short, results, promise } = options
  if (results !== undefined) await writeResults(results, stores, short, outcomes)
  if (options.write && promise.length === 0 && stores !== 'given') await markProved(stores, short, outcomes)
}

const run = async (options: Options): Promise<void> => {
  const target = await open(options)
  const report = new Report()
  try {
    await Promise.race([runSuites(target, options, report), interruption()])
  } finally {
    await target.close()
  }
  await write(report, target.kind, options)
  const [proved, failed, unproved] = [
    report.count('holds'),
    report.count('broken'),
    report.count('not proved'),
  ]
  const rest = unproved > 0 ? `, ${unproved} not proved` : ''
  process.stdout.write(`\n${proved} promises hold, ${failed} broken${rest}, on ${target.kind} stores\n`)
  process.exitCode = failed === 0 && proved > 0 ? 0 : 1
}

const collect = (value: string, previous: string[]) => [...previous, value]

const program = new Command('prove')
  .description('try to break each promise of docs/guarantees.md')
  .addOption(
    new Option('--stores <kind>', 'stores of the service that the proofs start')
      .choices(['embedded', 'services'])
      .default('embedded'),
  )
  .option('--url <url>', 'prove a running service instead; no process of it is killed')
  .option('--email <email>', 'platform administrator of that service; PROVE_PASSWORD holds the password')
  .option('--only <suite>', 'run only this suite; may be repeated', collect, [])
  .option('--promise <words>', 'try only promises that contain these words; may be repeated', collect, [])
  .option('--short', 'fewer rounds, for CI', false)
  .option('--write', 'note the day in docs/guarantees.md, for suites that hold whole', false)
  .option('--results <file>', 'write each promise with its evidence into a file')

await run(program.parse().opts<Options>())

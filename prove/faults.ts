/**
 * `npm run prove:faults` tests the proofs. It plants one fault at a time into a copy of the server and the SDK, and runs
 * the suite that has to catch it. A suite that passes with its fault planted fails the run.
 */
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import type { Fault } from './fault.ts'
import { faults } from './fault-list.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Copies everything that runs; the dependencies are those of this checkout. */
const copyTree = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-fault-'))
  for (const name of ['server', 'client', 'lab', 'prove', 'deploy', 'docs', 'package.json']) {
    await cp(join(root, name), join(folder, name), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const pathOf = (folder: string, { file }: Fault): string => join(folder, 'server/src', file)

/**
 * Returns the source with the fault in it. Throws unless exactly one place fits: an edit that changes nothing proves
 * nothing.
 */
const faulty = async (fault: Fault): Promise<string> => {
  const { file, from, to } = fault
  const text = await readFile(pathOf(root, fault), 'utf8')
  const places = text.split(from).length - 1
  if (places !== 1) throw new Error(`${file} has ${places} places instead of one for: ${from}`)
  return text.replace(from, () => to)
}

/** The arguments of a run that tries the promises of some faults, which all belong to one suite. */
const argsOf = (group: Fault[]): string[] => {
  const [{ suite, stores = 'embedded', isAlone } = { suite: '' }] = group
  const promises = new Set(isAlone ? group.map(({ promise = '' }) => promise) : [])
  return [
    '--short',
    '--stores',
    stores,
    '--only',
    suite,
    ...[...promises].flatMap((one) => ['--promise', one]),
  ]
}

/** Faults that one run can try without any fault. */
const kindOf = ({ suite, stores = 'embedded', isAlone = false }: Fault): string =>
  `${suite} on ${stores} stores${isAlone ? ', the broken promises' : ''}`

/**
 * Resolves with the broken promises, or with the last error line when there are none: a service that does not start is
 * caught too. Resolves with undefined where this machine lacks something that the suite needs.
 */
const runSuite = (folder: string, args: string[]) =>
  new Promise<string[] | undefined>((resolve, reject) => {
    const command = ['prove/prove.ts', ...args]
    const child = spawn(process.execPath, command, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    child.on('error', reject)
    child.on('close', (code) => {
      const lines = output.split('\n').filter((line) => line.trim() !== '')
      const isArranged = !lines.some((line) => /^0 promises hold, 0 broken, \d+ not proved/.test(line))
      const promises = lines.flatMap((line) => /✗ (.*)/.exec(line)?.[1] ?? [])
      const said = lines.find((line) => /Error: /.test(line)) ?? `code ${code}`
      const failure = code === 0 ? [] : [said]
      const broken = promises.length > 0 ? promises : failure
      resolve(isArranged ? broken : undefined)
    })
  })

/**
 * Returns the faults whose suites run on this machine. Throws when one of these fails without any fault: its failure
 * would prove nothing.
 */
const requireSound = async (wanted: Fault[]): Promise<Fault[]> => {
  const sound: Fault[] = []
  for (const [kind, group] of Map.groupBy(wanted, kindOf)) {
    const broken = await runSuite(root, argsOf(group))
    if (broken?.[0] !== undefined) throw new Error(`${kind} fails without a fault: ${broken[0]}`)
    process.stdout.write(
      `  ${kind}: ${broken ? 'holds without a fault' : 'proves nothing on this machine'}\n`,
    )
    if (broken) sound.push(...group)
  }
  return sound
}

const tryOne = async (fault: Fault): Promise<boolean> => {
  const folder = await copyTree()
  try {
    await writeFile(pathOf(folder, fault), await faulty(fault))
    const broken = await runSuite(folder, argsOf([fault]))
    const by = broken?.find((line) => line.startsWith(fault.promise ?? ''))?.slice(0, 160)
    process.stdout.write(
      `  ${by ? '✓' : '✗'} ${fault.what} — ${by ? `${fault.suite}: ${by}` : 'not caught'}\n`,
    )
    return by !== undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Options {
  only: string
  check: boolean
}

/** Lists every fault that has no place in the present source. */
const check = async (wanted: Fault[]): Promise<void> => {
  const tried = await Promise.allSettled(wanted.map(faulty))
  const missing = tried.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
  for (const reason of missing) process.stdout.write(`  ✗ ${reason}\n`)
  process.stdout.write(`${wanted.length - missing.length} of ${wanted.length} faults can be planted\n`)
  process.exitCode = missing.length === 0 && wanted.length > 0 ? 0 : 1
}

const run = async ({ only, check: isCheck }: Options): Promise<void> => {
  const wanted = faults.filter(({ what, suite }) => what.includes(only) || suite === only)
  if (isCheck) return check(wanted)
  const sound = await requireSound(wanted)
  let caught = 0
  for (const fault of sound) if (await tryOne(fault)) caught += 1
  process.stdout.write(`\n${caught} of ${sound.length} planted faults caught\n`)
  process.exitCode = sound.length > 0 && caught === sound.length ? 0 : 1
}

const program = new Command('prove:faults')
  .description('plant faults into a copy of the server and the SDK; the proofs have to catch each one')
  .option('--only <words>', 'only faults of this suite, or whose description contains this text', '')
  .option('--check', 'check that each fault fits the present source, and run nothing', false)

await run(program.parse().opts<Options>())

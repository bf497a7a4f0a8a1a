/**
 * `npm run prove:faults`: proves the proofs. Plants one fault at a time into a copy of the server and runs the suite
 * that has to catch it; a suite that passes then is itself at fault.
 */
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { faults, type Fault } from './fault-list.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A copy of what runs, with the dependencies of this folder. */
const copyTree = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-fault-'))
  for (const name of ['server', 'prove', 'docs', 'package.json']) {
    await cp(join(root, name), join(folder, name), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Changes the one place that the fault is about. Throws when the source has moved on: a fault not planted proves nothing. */
const plant = async (folder: string, { file, from, to }: Fault): Promise<void> => {
  const path = join(folder, 'server/src', file)
  const text = await readFile(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} has not exactly one place like: ${from}`)
  await writeFile(
    path,
    text.replace(from, () => to),
  )
}

/** The promises that were broken; without one, what the run said last: a service that does not start is caught too. */
const runSuite = (folder: string, { suite, stores = 'embedded' }: Pick<Fault, 'suite' | 'stores'>) =>
  new Promise<string[]>((resolve, reject) => {
    const args = ['prove/prove.ts', '--short', '--stores', stores, '--only', suite]
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    child.on('error', reject)
    child.on('close', (code) => {
      const lines = output.split('\n').filter((line) => line.trim() !== '')
      const promises = lines.flatMap((line) => /✗ (.*)/.exec(line)?.[1] ?? [])
      const said = lines.find((line) => /Error: /.test(line)) ?? `code ${code}`
      const failure = code === 0 ? [] : [said]
      resolve(promises.length > 0 ? promises : failure)
    })
  })

/** A suite that fails without a fault catches nothing. */
const requireSound = async (wanted: Fault[]): Promise<void> => {
  const keys = new Set(wanted.map(({ suite, stores = 'embedded' }) => `${suite} ${stores}`))
  for (const key of keys) {
    const [suite, stores] = key.split(' ') as [string, Fault['stores']]
    const [broken] = await runSuite(root, { suite, stores })
    if (broken !== undefined) throw new Error(`${key} fails without a fault: ${broken}`)
    process.stdout.write(`  without a fault ${key} holds\n`)
  }
}

const tryOne = async (fault: Fault): Promise<boolean> => {
  const folder = await copyTree()
  try {
    await plant(folder, fault)
    const by = (await runSuite(folder, fault))[0]?.slice(0, 160)
    process.stdout.write(
      `  ${by ? '✓' : '✗'} ${fault.what} — ${by ? `${fault.suite}: ${by}` : 'not caught'}\n`,
    )
    return by !== undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const run = async (only: string): Promise<void> => {
  const wanted = faults.filter(({ what }) => what.includes(only))
  await requireSound(wanted)
  let caught = 0
  for (const fault of wanted) if (await tryOne(fault)) caught += 1
  process.stdout.write(`\n${caught} of ${wanted.length} planted faults caught\n`)
  process.exitCode = wanted.length > 0 && caught === wanted.length ? 0 : 1
}

const program = new Command('prove:faults')
  .description('plant faults into a copy of the server, and see each caught by the proofs')
  .option('--only <words>', 'only faults whose description has these words', '')

await run(program.parse().opts<{ only: string }>().only)

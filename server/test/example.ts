/** Runs `npm run example`, as a newcomer does in a fresh clone. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { root } from './documents.ts'
import { newFolder } from './programs.ts'
import { eventually } from './waits.ts'

const modules = join(root, 'node_modules')

/** A copy with nothing built and nothing set up, like a fresh clone after `npm ci`. */
export const copyOfRepository = (): string => {
  const folder = newFolder()
  for (const name of ['package.json', 'tsconfig.base.json', 'LICENSE', 'client', 'examples']) {
    const isSource = (path: string) => !/[/\\](dist|node_modules|\.env)$/.test(path)
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: isSource })
  }
  mkdirSync(join(folder, 'node_modules', '@tenantry'), { recursive: true })
  for (const name of ['.bin', 'fastify', 'jose', 'oidc-client-ts', 'yaml', 'typescript']) {
    symlinkSync(join(modules, name), join(folder, 'node_modules', name))
  }
  symlinkSync(join(folder, 'client'), join(folder, 'node_modules', '@tenantry', 'client'))
  return folder
}

export interface Example {
  output: { text: string }
  /** Rejects when the example ends without listening. */
  ready: Promise<void>
  exit: Promise<number | null>
  end: () => Promise<void>
}

const examples = new Set<ChildProcess>()

/** `npm` starts children of its own: they end as one group. */
const endExample = ({ pid = 0 }: ChildProcess): void => {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ESRCH') throw err
  }
}

/** For `afterAll`. */
export const endExamples = (): void => {
  for (const child of examples) endExample(child)
}

interface Place {
  /** Of `copyOfRepository`. */
  folder: string
  tenantryUrl: string
  port: number
}

/** Starts the example. `login` is that of the administrator, for its set-up. */
export const launchExample = (
  { folder, tenantryUrl, port }: Place,
  login: Record<string, string> = {},
): Example => {
  const child = spawn('npm', ['run', 'example'], {
    cwd: folder,
    detached: true,
    env: {
      PATH: `${join(modules, '.bin')}:${process.env['PATH']}`,
      HOME: folder,
      TENANTRY_URL: tenantryUrl,
      PORT: String(port),
      ...login,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  examples.add(child)
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output.text += chunk.toString()))
  }
  const exit = once(child, 'close').then(([code]) => {
    examples.delete(child)
    return code as number | null
  })
  const listens = eventually(() => expect(output.text).toContain('Invoices are ready at'))
  const ends = exit.then((code) => {
    throw new Error(`ended with ${code}: ${output.text}`)
  })
  const ready = Promise.race([listens, ends])
  ready.catch(() => undefined)
  const end = async () => {
    endExample(child)
    await exit
  }
  return { output, ready, exit, end }
}

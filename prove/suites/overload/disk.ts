import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { refuteNothing } from '../../attack.ts'
import { ok, signIn, type Session } from '../../../lab/client.ts'
import { startReplica, type Replica } from '../../../lab/replica.ts'
import { NotArranged } from '../../report.ts'

const run = promisify(execFile)
const diskMiB = 200
/** Free bytes on the disk when the writes begin. */
const freeBytes = 1_500_000
const refusals = 20

/** Mounts a small disk, which needs Linux and root. */
const mountDisk = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-prove-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${diskMiB}m`, 'tmpfs', folder])
  } catch (err) {
    await rm(folder, { recursive: true })
    throw new NotArranged(`a small disk cannot be mounted here: ${(err as Error).message.split('\n')[0]}`)
  }
  return folder
}

const ballastIn = (folder: string) => join(folder, 'ballast')

const fillDisk = async (folder: string): Promise<void> => {
  const { bavail, bsize } = await statfs(folder)
  await writeFile(ballastIn(folder), Buffer.alloc(bavail * bsize - freeBytes))
}

interface Outcome {
  acknowledged: Map<string, string>
  refused: number
  breaches: string[]
}

const readBoth = async (root: Session, breaches: string[]): Promise<void> => {
  for (const path of ['/profile', '/users']) {
    const { status } = await root.call('GET', path)
    if (status !== 200) breaches.push(`GET ${path} on a full disk: ${status}`)
  }
}

/** Writes until so many writes are refused, with reads in between. */
const writeUntilFull = async (root: Session): Promise<Outcome> => {
  const outcome: Outcome = { acknowledged: new Map(), refused: 0, breaches: [] }
  for (let n = 0; outcome.refused < refusals; n += 1) {
    const key = `disk.${n % 64}`
    const value = randomBytes(9000).toString('base64')
    const { status, headers } = await root.call('PUT', `/settings/tenant/${key}`, { value })
    if (status === 200) outcome.acknowledged.set(key, value)
    else {
      outcome.refused += 1
      if (status !== 503) outcome.breaches.push(`a write on a full disk: ${status}`)
      if (headers.get('retry-after') === null) outcome.breaches.push('a 503 without Retry-After')
      await readBoth(root, outcome.breaches)
    }
  }
  return outcome
}

/** Refused writes must not exist, and acknowledged ones must. */
const differences = async (root: Session, { acknowledged }: Outcome): Promise<string[]> => {
  const breaches: string[] = []
  for (const [key, value] of acknowledged) {
    const answer = await root.call('GET', `/settings/tenant/${key}`)
    if (answer.data?.value !== value) breaches.push(`${key} lacks its acknowledged value: ${answer.status}`)
  }
  return breaches
}

const startOn = async (env: Record<string, string>): Promise<{ replica: Replica; root: Session }> => {
  const replica = await startReplica(env)
  const { TENANTRY_ADMIN_EMAIL: email = '', TENANTRY_ADMIN_PASSWORD: password = '' } = env
  return { replica, root: await signIn(replica.url, email, password) }
}

const proveOn = async (folder: string, env: Record<string, string>, started: Replica[]): Promise<string> => {
  const first = await startOn({ ...env, TENANTRY_DATA_DIR: join(folder, 'data') })
  started.push(first.replica)
  await fillDisk(folder)
  const outcome = await writeUntilFull(first.root)
  refuteNothing([...outcome.breaches, ...(await differences(first.root, outcome))])
  await rm(ballastIn(folder))
  ok(await first.root.call('PUT', '/settings/tenant/after', { value: 'written again' }))
  first.replica.signal('SIGKILL')
  await first.replica.exited
  const second = await startOn({ ...env, TENANTRY_DATA_DIR: join(folder, 'data') })
  started.push(second.replica)
  refuteNothing(await differences(second.root, outcome))
  ok(await second.root.call('PUT', '/settings/tenant/after', { value: 'and after a restart' }))
  return (
    `${outcome.acknowledged.size} settings acknowledged before a disk of ${diskMiB} MiB was full, then ${outcome.refused} ` +
    `writes: 503; reads went on; writes succeeded again once there was room; none lost, also after kill -9`
  )
}

/** Fills the disk of the embedded database: it has to refuse writes, answer reads and lose no acknowledged write. */
export const proveFullDisk = async (env: Record<string, string>): Promise<string> => {
  const folder = await mountDisk()
  const started: Replica[] = []
  try {
    return await proveOn(folder, env, started)
  } finally {
    for (const replica of started) replica.signal('SIGKILL')
    await Promise.all(started.map(({ exited }) => exited))
    await run('umount', [folder])
    await rm(folder, { recursive: true })
  }
}

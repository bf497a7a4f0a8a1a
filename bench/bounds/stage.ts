/** One service on the embedded database, which reports the longest turn of its event loop, and callers of it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { newTenant, signIn, type Session } from '../../lab/client.ts'
import { openDirectory, openNames, type Directory } from '../../lab/directory.ts'
import { startReplica, type Replica } from '../../lab/replica.ts'

const turns = fileURLToPath(new URL('turns.ts', import.meta.url))
const [email, password] = ['root@example.com', 'a password of the bench 4711']

export interface Stage {
  url: string
  root: Session
  admin: Session
  directory: Directory
  /** Milliseconds of processor time of the longest turn during the work. */
  turnMs: (work: () => Promise<void>) => Promise<number>
  close: () => Promise<void>
}

/** Signals the service to begin or to end, and resolves with its answer. Two signals at once could become one. */
const tell = async ({ log, signal }: Replica, word: string): Promise<string> => {
  const from = log.length
  signal('SIGUSR2')
  for (;;) {
    const line = log.slice(from).find((one) => one.startsWith(word))
    if (line !== undefined) return line
    await sleep(2)
  }
}

const watching =
  (server: Replica): Stage['turnMs'] =>
  async (work) => {
    await tell(server, 'watching turns')
    await work()
    return Number(/[\d.]+/.exec(await tell(server, 'longest turn'))?.[0])
  }

export const openStage = async (): Promise<Stage> => {
  const [folder, names] = [await mkdtemp(join(tmpdir(), 'tenantry-bounds-')), await openNames()]
  const env = {
    ...names.env,
    NODE_OPTIONS: `--max-semi-space-size=4 --import=${turns}`,
    TENANTRY_RATE_LIMIT: 'off',
    TENANTRY_BCRYPT_COST: '4',
    TENANTRY_DATA_DIR: folder,
    TENANTRY_ADMIN_EMAIL: email,
    TENANTRY_ADMIN_PASSWORD: password,
    TENANTRY_SECRET_KEY: Buffer.alloc(32, 'bench').toString('base64'),
  }
  const server = await startReplica(env)
  const { url } = server
  const root = await signIn(url, email, password)
  const { admin } = await newTenant(root)
  return {
    url,
    root,
    admin,
    directory: await openDirectory(admin, names),
    turnMs: watching(server),
    close: async () => {
      await server.stop()
      await names.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * `npm run test:upgrade -- REF`: replaces two replicas of an earlier version by this version under load, one after the
 * other. HAProxy or Caddy with the files of deploy/ is in front. The earlier version is the package of a git reference,
 * by default of the newest tag `v*`. Both packages come from npm with their dependencies. The stores are those of
 * DATABASE_URL and REDIS_URL; the script makes a database and drops it. It ends with 1 when a request fails, and with 2
 * when nothing was tried.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { run as runProgram } from '../../client/test/package.ts'
import { createStores, endAll, newFolder, run } from '../../server/test/programs.ts'
import { query } from '../../lab/databases.ts'
import { underLoad } from './load.ts'
import { missing, startCaddy, startHaproxy } from './proxy.ts'
import { noticeMs, setScene, type Scene } from './scene.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const print = (line: string): boolean => process.stdout.write(`${line}\n`)

/** The newest release; undefined when there is none. */
const newestRelease = async (): Promise<string | undefined> => {
  const tags = await runProgram('git', ['tag', '--list', 'v*', '--sort=-version:refname'], root)
  return tags.split('\n').find(Boolean)
}

/** A folder with the sources of a reference and their dependencies. */
const checkOut = async (ref: string, folder: string): Promise<string> => {
  await runProgram('git', ['clone', '--quiet', '--shared', '--no-checkout', root, folder], root)
  await runProgram('git', ['checkout', '--quiet', '--detach', ref], folder)
  await runProgram('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], folder)
  return folder
}

interface Installed {
  entry: string
  migrations: string
}

/** Packs the service of a clone and installs it, as its users do. */
const install = async (clone: string, folder: string): Promise<Installed> => {
  mkdirSync(folder)
  const told = await runProgram('npm', ['pack', '-w', 'server', '--pack-destination', folder], clone)
  const file = told.trim().split('\n').at(-1) ?? ''
  await runProgram(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, file)],
    folder,
  )
  const home = join(folder, 'node_modules/tenantry')
  return { entry: join(home, 'bin/tenantry.js'), migrations: join(home, 'dist/db/migrations') }
}

/** Expands the schema as a migration may, where no migration lies between the two versions. */
const trialMigration = `-- Tries an upgrade: columns, an index and a table that the earlier version does not know.
set local lock_timeout = '1s';
alter table users add column tried text not null default '';
alter table sessions add column tried boolean not null default false;
create table tried (tenant_id uuid not null references tenants (id), id bigint not null, primary key (tenant_id, id));
create index users_tried_idx on users (tenant_id, tried);
`

const addMigrationIfNone = (earlier: Installed, later: Installed): void => {
  const known = readdirSync(earlier.migrations)
  const added = readdirSync(later.migrations).filter((name) => !known.includes(name))
  if (added.length > 0) print(`migrations between the two: ${added.join(', ')}`)
  else {
    writeFileSync(join(later.migrations, '9999-try-upgrade.sql'), trialMigration)
    print('no migration lies between the two: a trial one is added to the later package')
  }
}

/** Locks as pg_dump holds them, for longer than a request waits. */
const backupLocks = 'begin; lock table users, sessions in access share mode; select pg_sleep(6); commit'

/** A run of the whole upgrade; counts what went wrong. */
interface Trial {
  scene: Scene
  earlier: Installed
  later: Installed
  env: Record<string, string>
  faults: string[]
}

const tell = (faults: string[], name: string, isWell: boolean, more: string): void => {
  print(`${isWell ? '' : 'FAILED '}${name}: ${more}`)
  if (!isWell) faults.push(name)
}

/** Runs a step of the upgrade under load; every failed request is a fault. */
const step = async ({ scene, faults }: Trial, name: string, work: () => Promise<void>): Promise<void> => {
  const { count, writes, failures } = await underLoad(scene, work)
  const failed = Object.values(failures).reduce((sum, times) => sum + times, 0)
  const more = failed > 0 ? ` ${JSON.stringify(failures)}` : ''
  tell(faults, name, failed === 0, `${failed} of ${count} requests failed, ${writes} of them writes${more}`)
}

/** Runs a command of the later version; a failure is a fault. */
const command = async ({ later, env, faults }: Trial, ...args: string[]): Promise<void> => {
  const { code, stdout, stderr } = await run(args, env, '', later.entry)
  tell(faults, `tenantry ${args.join(' ')}`, code === 0, `${stdout}${stderr}`.trim())
}

const upgrade = async (trial: Trial): Promise<void> => {
  const { scene, earlier, later, env, faults } = trial
  const replicas = [...scene.replicas]
  await step(trial, 'the earlier version on its schema', () => sleep(2000))
  await step(trial, 'the migration, beside a backup', async () => {
    const backup = query(env['DATABASE_URL'] ?? '', backupLocks)
    // PostgreSQL has run the statements before the sleep by then.
    await sleep(1000)
    await command(trial, 'migrate')
    await backup
  })
  await step(trial, 'the earlier version on the later schema', () => sleep(5000))
  for (const index of [0, 1] as const) {
    await step(trial, `replica ${index + 1} is replaced`, async () => {
      const code = await scene.replicas[index].end('SIGTERM')
      tell(faults, 'the earlier replica ends', code === 0, `exit code ${code}`)
      await scene.restart(index, later.entry)
      await sleep(noticeMs)
    })
  }
  await step(trial, 'the later version', () => sleep(2000))
  await command(trial, 'audit', 'verify')
  const { code, stderr } = await run(['start'], env, '', earlier.entry)
  tell(faults, 'the earlier version refuses to start', code === 1 && stderr.includes('newer'), stderr.trim())
  const errors = replicas.flatMap((replica) => replica.records()).filter(({ level }) => level === 'error')
  tell(faults, "errors in the earlier version's log", errors.length === 0, JSON.stringify(errors.slice(0, 3)))
}

const tryUpgrade = async (ref: string): Promise<number> => {
  const folder = newFolder()
  const stores = await createStores()
  const faults: string[] = []
  try {
    const earlier = await install(await checkOut(ref, join(folder, 'clone')), join(folder, 'earlier'))
    const later = await install(root, join(folder, 'later'))
    addMigrationIfNone(earlier, later)
    const proxyFolder = join(folder, 'proxy')
    mkdirSync(proxyFolder)
    const startProxy = missing(['haproxy', 'openssl']).length === 0 ? startHaproxy : startCaddy
    const scene = await setScene(startProxy, proxyFolder, stores.env, earlier.entry)
    await upgrade({ scene, earlier, later, env: stores.env, faults })
    await scene.close()
    await Promise.all(scene.replicas.map((replica) => replica.end('SIGINT')))
  } finally {
    endAll()
    await stores.remove()
    rmSync(folder, { recursive: true, force: true })
  }
  return faults.length === 0 ? 0 : 1
}

const main = async (): Promise<number> => {
  const ref = process.argv[2] ?? (await newestRelease())
  const unset = ['DATABASE_URL', 'REDIS_URL'].filter((name) => !process.env[name])
  const faults = [
    ...(ref === undefined ? ['there is no earlier release: no tag v*, and no reference was given'] : []),
    ...unset.map((name) => `${name} is not set`),
    ...(missing(['haproxy', 'caddy']).length === 2 ? ['neither haproxy nor caddy is installed'] : []),
  ]
  for (const fault of faults) print(`not tried: ${fault}`)
  if (ref === undefined || faults.length > 0) return 2
  print(`from ${ref} to this version`)
  return tryUpgrade(ref)
}

process.exitCode = await main()

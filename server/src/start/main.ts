import { existsSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Command, Option } from 'commander'
import type { Logger } from 'pino'
import { addAuditCommands } from './audit-program.ts'
import { readConfig, type Config } from '../config/config.ts'
import { tokenAlgorithms, type TokenAlgorithm } from '../crypto/algorithms.ts'
import { createLogger } from '../log.ts'
import { readNamed } from '../named-file.ts'
import { addFileCommands } from './file-commands.ts'
import { requireStrong } from './production.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Server } from './serve.ts'
import { exitOnSignals, print, printLines, readPassword, showProgress } from './terminal.ts'
import { onStopMessage, reportReady, workerId, type StopSignal } from '../worker.ts'
import { version } from '../version.ts'

// Loaded when a command runs: otherwise the code would take 3 MB of the service.
const commands = () => import('./commands.ts')

/** Formats an error for the operator: a line per known fault. Unknown errors keep their stack. */
const linesOf = (err: unknown): string[] => {
  if (err instanceof Refusal) return err.faults
  if (!(err instanceof Error)) return [String(err)]
  return err instanceof TypeError || err instanceof RangeError ? [err.stack ?? err.message] : [err.message]
}

const fail = (err: unknown): never => {
  for (const line of linesOf(err)) process.stderr.write(`tenantry: ${line}\n`)
  process.exit(1)
}

const loadEnvFile = (): void => {
  if (!existsSync('.env')) return
  for (const [name, value] of Object.entries(parseEnv(readNamed('.env')))) process.env[name] ??= value
}

const loadConfig = (): Config => {
  loadEnvFile()
  return readConfig(process.env)
}

/** Loads the configuration for commands that write. Commands that only read also accept a weak configuration. */
const loadStrongConfig = (): Config => requireStrong(loadConfig())

/** True if this process serves itself, without workers. A worker runs the same command, and serves. */
const servesItself = (config: Config): boolean => config.workers === 1 || workerId !== undefined

/**
 * The process ends within this time after a signal, even if it is still starting or a store hangs. Docker kills a
 * process after 10 seconds. The process that supervises workers ends after them.
 */
const stopMsOf = (config: Config): number => (servesItself(config) ? 8000 : 9000)

/** Serves in this process, or starts several workers. */
const begin = async (config: Config, log: Logger): Promise<Server> => {
  if (servesItself(config)) {
    const { serve } = await import('./serve.ts')
    return serve(config, log)
  }
  const { serveByWorkers } = await import('./workers.ts')
  return serveByWorkers(config.workers, log, fail)
}

const start = async (): Promise<void> => {
  const config = loadStrongConfig()
  const log = createLogger(config.logLevel)
  const starting = begin(config, log)
  let isStopping = false
  const stop = (signal: StopSignal) => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.warn('the process ends although something hangs; open transactions are rolled back')
      process.exit(0)
    }, stopMsOf(config)).unref()
    starting
      .then((server) => server.stop(signal))
      .then(
        () => process.exit(0),
        (err: unknown) => fail(err),
      )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  onStopMessage(stop)
  const server = await starting
  if (workerId !== undefined) {
    reportReady(server.url)
    return
  }
  // Logged at any level, because scripts wait for this line.
  log.child({}, { level: 'info' }).info({ url: server.url }, `Tenantry is ready at ${server.url}`)
}

/** The log of commands: warnings on stderr. Commands print their results for people. */
const quiet = () => createLogger('warn', process.stderr)

const program = new Command('tenantry')
  .version(version, '--version', 'print the version')
  .description('Administration backend for multi-tenant products')
  .showHelpAfterError('(tenantry --help lists the commands)')
  .addHelpText(
    'after',
    '\nConfiguration is read from the environment and from .env; see docs/configuration.md.',
  )

program.command('start').description('start the service').action(start)

program
  .command('migrate')
  .description('bring the database schema up to this version, and end')
  .action(async () => {
    const { migrateOnly } = await commands()
    print(await migrateOnly(loadStrongConfig(), quiet()))
  })

program
  .command('create-admin')
  .description(
    'create a platform administrator; the password is read from TENANTRY_ADMIN_PASSWORD or standard input',
  )
  .requiredOption('--email <email>', 'e-mail to sign in with')
  .option('--username <username>', 'username; admin by default, with a number where that is taken')
  .action(async (options: { email: string; username?: string }) => {
    // Ignores TENANTRY_ADMIN_EMAIL and its siblings, which name the first administrator: this command has options instead.
    loadEnvFile()
    const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('TENANTRY_ADMIN_'))
    const password = process.env['TENANTRY_ADMIN_PASSWORD'] || (await readPassword())
    const config = requireStrong(readConfig(Object.fromEntries(entries)))
    const { createAdmin } = await commands()
    print(await createAdmin(config, quiet(), { ...options, password }))
  })

program
  .command('reset-password')
  .description('give a person another password, read from standard input; their sessions end, factors stay')
  .argument('<email>', 'the address that they sign in with')
  .action(async (email: string) => {
    const config = loadStrongConfig()
    const password = await readPassword()
    const { setPassword } = await commands()
    print(await setPassword(config, quiet(), { email, password }))
  })

program
  .command('reset-factors')
  .description('remove all second factors of a person who has lost them; their sessions end')
  .argument('<email>', 'the address that they sign in with')
  .action(async (email: string) => {
    const { removeFactors } = await commands()
    print(await removeFactors(loadStrongConfig(), quiet(), { email }))
  })

program
  .command('rotate-keys')
  .description('sign tokens and the audit chain with new keys; no session ends')
  .addOption(
    new Option('--algorithm <algorithm>', 'of access tokens from now on; as before when left out').choices(
      tokenAlgorithms,
    ),
  )
  .option('--now', 'a key has leaked: refuse every token signed before, which ends all sessions')
  .action(async ({ algorithm, now }: { algorithm?: TokenAlgorithm; now?: boolean }) => {
    const { rotate } = await commands()
    printLines(await rotate(loadStrongConfig(), quiet(), { algorithm, isLeaked: now }))
  })

program
  .command('rotate-secrets')
  .description('encrypt stored secrets with the first key of TENANTRY_SECRET_KEY, once no older replica runs')
  .action(async () => {
    const { rewriteSecrets } = await commands()
    print(await rewriteSecrets(loadStrongConfig(), quiet()))
  })

program
  .command('reset-secrets')
  .description(
    'the secret key is lost: make new signing keys, which ends all sessions, with the service stopped',
  )
  .action(async () => {
    const { giveUpSecrets } = await commands()
    printLines(await giveUpSecrets(loadStrongConfig(), quiet()))
  })

program
  .command('backup')
  .description(
    'write a backup of the embedded database, also while the service runs; for PostgreSQL there is pg_dump',
  )
  .argument('<file>', 'where to; it must not exist yet')
  .option('--with-secret-key', 'put the key that opens its secrets into the backup as well')
  .action(async (file: string, { withSecretKey = false }: { withSecretKey?: boolean }) => {
    exitOnSignals()
    const { backUp } = await import('../backup/backup.ts')
    print(await backUp(loadConfig(), file, { withSecretKey }, showProgress))
  })

program
  .command('restore')
  .description('put a backup into a data folder that has no database yet, with the service stopped')
  .argument('<file>', 'what `tenantry backup` wrote')
  .action(async (file: string) => {
    exitOnSignals()
    const { restore } = await import('../backup/restore.ts')
    print(await restore(loadConfig(), file, showProgress))
  })

const tenant = program.command('tenant').description('move one tenant to another installation')

tenant
  .command('export')
  .description('write a tenant with its users, their password hashes and its audit log into a file')
  .argument('<tenant>', 'its id or slug')
  .argument('<file>', 'where to; it must not exist yet')
  .action(async (name: string, file: string) => {
    exitOnSignals()
    const { exportTenantTo } = await commands()
    printLines(await exportTenantTo(loadConfig(), quiet(), name, file))
  })

tenant
  .command('import')
  .description('bring a tenant in, whole or not at all; it keeps its ids, and its users their passwords')
  .argument('<file>', 'what `tenantry tenant export` wrote')
  .option('--dry-run', 'do all of it, say what is in the way, and take it back')
  .action(async (file: string, { dryRun }: { dryRun?: boolean }) => {
    exitOnSignals()
    const { importTenantFrom, tryImportTenantFrom } = await commands()
    const work = dryRun ? tryImportTenantFrom : importTenantFrom
    printLines(await work(loadConfig(), quiet(), file))
  })

program
  .command('users')
  .description('users from elsewhere')
  .command('import')
  .description('import the users of a file into a tenant; exit code 2 when a row was refused')
  .argument(
    '<file>',
    'CSV or NDJSON with the fields of POST /users/import; refused rows are written beside it',
  )
  .requiredOption('--tenant <id or slug>', 'the tenant that they become users of')
  .option('--dry-run', 'do all of it, say what would be refused, and take it back')
  .action(async (file: string, { tenant: name, dryRun = false }: { tenant: string; dryRun?: boolean }) => {
    exitOnSignals()
    const { importUsersFrom } = await import('./import-commands.ts')
    const what = { file, tenant: name, isDryRun: dryRun }
    const { lines, isComplete } = await importUsersFrom(loadStrongConfig(), quiet(), what, showProgress)
    printLines(lines)
    if (!isComplete) process.exitCode = 2
  })

const setup = { loadConfig, loadStrongConfig, quiet }

addFileCommands(program, setup, {
  name: 'catalogue',
  description: 'permissions and role templates of the product, as a YAML file',
  source: ['<file>', 'the YAML file'],
  texts: {
    export: 'write the present ones into a file',
    target: 'where to; it must not exist yet',
    apply: 'bring the installation to the state of the file, in one transaction',
    prune: 'remove what the file does not name',
  },
  load: () => import('./catalogue-commands.ts'),
})

addFileCommands(program, setup, {
  name: 'mails',
  description: 'texts of e-mails, as one YAML file for each kind and language',
  source: ['<folder>', 'the YAML files'],
  texts: {
    export: 'write the present ones into a folder',
    target: 'where to; a new or an empty one',
    apply: 'bring the texts to the state of the files, in one transaction',
    prune: 'go back to the built-in texts where no file is, and remove other languages',
  },
  load: () => import('./mail-commands.ts'),
})

addFileCommands(program, setup, {
  name: 'settings',
  description: 'declared settings of the product, as a YAML file',
  source: ['<file>', 'the YAML file'],
  texts: {
    export: 'write the present declarations into a file',
    target: 'where to; it must not exist yet',
    apply: 'bring the declarations to the state of the file, in one transaction',
    prune: 'remove declarations that the file does not name',
  },
  load: () => import('./settings-commands.ts'),
})

program
  .command('doctor')
  .description(
    'check configuration, stores, database role, keys and mail: one line per finding, exit code 1 on an error',
  )
  .option('--mail-to <email>', 'also send an e-mail to this address')
  .action(async ({ mailTo }: { mailTo?: string }) => {
    const { diagnose } = await import('./doctor.ts')
    const findings = await diagnose(loadConfig, quiet(), mailTo)
    for (const { level, text } of findings) print(`${level.padEnd(5)} ${text}`)
    process.exit(findings.some(({ level }) => level === 'error') ? 1 : 0)
  })

program
  .command('sso')
  .description('sign-in by the provider of a tenant')
  .command('optional')
  .description('let people in by passwords again, where nothing but a connection led into a tenant')
  .argument('<tenant>', 'its id or slug')
  .action(async (name: string) => {
    const { makeOptional } = await import('./sso-commands.ts')
    print(await makeOptional(loadStrongConfig(), quiet(), name))
  })

program
  .command('approvals')
  .description('changes of a tenant that others must approve')
  .command('off')
  .description('delete all policies of a tenant, where too few are left to approve')
  .argument('<tenant>', 'its id or slug')
  .action(async (name: string) => {
    const { turnApprovalsOff } = await import('./approvals-commands.ts')
    print(await turnApprovalsOff(loadStrongConfig(), quiet(), name))
  })

program
  .command('ways')
  .description('the ways to prove an account')
  .command('open')
  .description('open passwords and passkeys again, in the installation or in one tenant')
  .argument('[tenant]', 'its id or slug')
  .action(async (name: string | undefined) => {
    const { openWaysAgain } = await import('./ways-commands.ts')
    print(await openWaysAgain(loadStrongConfig(), quiet(), name))
  })

addAuditCommands(program, setup)

program.parseAsync().catch(fail)

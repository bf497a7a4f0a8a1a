import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Command } from 'commander'
import type { Logger } from 'pino'
import type { VerifyOptions } from './audit-commands.ts'
import { readConfig, type Config } from './config.ts'
import { createLogger } from './log.ts'
import { requireStrong } from './production.ts'
import { Refusal } from './refusal.ts'
import type { Server } from './serve.ts'
import { onStopMessage, tellReady, workerId } from './worker.ts'

// What a command needs is loaded when it runs: the service does without the other commands, which take 3 MB.
const commands = () => import('./commands.ts')
const auditCommands = () => import('./audit-commands.ts')

/** What an operator can mend is said in a line each; anything else needs its stack to be found. */
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
  if (existsSync('.env')) process.loadEnvFile('.env')
}

const loadConfig = (): Config => {
  loadEnvFile()
  return readConfig(process.env)
}

/** For whatever writes to the stores; what only looks takes a weak configuration too. */
const loadStrongConfig = (): Config => requireStrong(loadConfig())

/** One line from standard input: never an argument, which every process of the machine can see. */
const readPassword = async (): Promise<string> => {
  const isTerminal = process.stdin.isTTY
  if (isTerminal) process.stderr.write('Password (8 to 128 characters, not shown): ')
  // On a terminal readline does the echo, into nothing.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  for await (const line of createInterface({ input: process.stdin, output, terminal: isTerminal })) {
    if (isTerminal) process.stderr.write('\n')
    return line
  }
  return ''
}

/** One process, or the one that minds several. A worker runs the same command, and serves. */
const begin = async (config: Config, log: Logger): Promise<Server> => {
  if (config.workers === 1 || workerId !== undefined) {
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
  const stop = (reason: string) => {
    if (isStopping) return
    isStopping = true
    log.info({ reason }, 'stopping')
    starting
      .then((server) => server.stop())
      .then(
        () => process.exit(0),
        (err: unknown) => fail(err),
      )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  onStopMessage(() => stop('told to'))
  const server = await starting
  if (workerId !== undefined) {
    tellReady(server.url)
    return
  }
  // Whatever the level: who started the process waits for this line.
  log.child({}, { level: 'info' }).info({ url: server.url }, `Tenantry is ready at ${server.url}`)
}

/** Commands print for people; the log of what they open says only what went wrong, on stderr. */
const quiet = () => createLogger('warn', process.stderr)

const program = new Command('tenantry')
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
  .option('--username <username>', 'username', 'admin')
  .action(async (options: { email: string; username: string }) => {
    // These name the administrator of an empty database; here they would only be half of one.
    loadEnvFile()
    const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('TENANTRY_ADMIN_'))
    const password = process.env['TENANTRY_ADMIN_PASSWORD'] || (await readPassword())
    const config = requireStrong(readConfig(Object.fromEntries(entries)))
    const { createAdmin } = await commands()
    print(await createAdmin(config, quiet(), { ...options, password }))
  })

program
  .command('rotate-keys')
  .description('sign tokens and the audit chain with new keys; no session ends')
  .action(async () => {
    const { rotate } = await commands()
    print(await rotate(loadStrongConfig(), quiet()))
  })

program
  .command('backup')
  .description(
    'write a backup of the embedded database, also while the service runs; for PostgreSQL there is pg_dump',
  )
  .argument('<file>', 'where to; it must not exist yet')
  .action(async (file: string) => {
    exitOnSignals()
    const { backUp } = await import('./backup/backup.ts')
    print(await backUp(loadConfig(), file, showProgress))
  })

program
  .command('restore')
  .description('put a backup into a data folder that has no database yet, with the service stopped')
  .argument('<file>', 'what `tenantry backup` wrote')
  .action(async (file: string) => {
    exitOnSignals()
    const { restore } = await import('./backup/restore.ts')
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
  .command('doctor')
  .description(
    'check configuration, stores, database role and keys: one line per finding, exit code 1 on an error',
  )
  .action(async () => {
    const { diagnose } = await import('./doctor.ts')
    const findings = await diagnose(loadConfig, quiet())
    for (const { level, text } of findings) print(`${level.padEnd(5)} ${text}`)
    process.exit(findings.some(({ level }) => level === 'error') ? 1 : 0)
  })

const audit = program.command('audit').description('check the audit chain, and show what to check it with')

audit
  .command('verify')
  .description('check that no audit record was altered: one line a tenant, exit code 1 on a breach')
  .option('--tenant <id or slug>', 'one tenant, also an erased one by its id; all tenants when left out')
  .option('--file <export>', 'a sealed export instead of the database; needs no configuration')
  .option('--keys <file>', 'the public keys you trust, as `audit keys` printed them')
  .option('--head <sequence:hash>', 'an earlier head, which must still be part of the chain')
  .action(async (options: VerifyOptions) => {
    const { verifyAudit, verifyAuditFile } = await auditCommands()
    const isSound =
      options.file === undefined
        ? await verifyAudit(loadConfig(), quiet(), options, print)
        : await verifyAuditFile(options.file, options, print)
    process.exit(isSound ? 0 : 1)
  })

audit
  .command('keys')
  .description('print the public keys of the audit chain as a JSON Web Key Set, to be kept elsewhere')
  .action(async () => {
    const { showAuditKeys } = await auditCommands()
    print(await showAuditKeys(loadConfig(), quiet()))
  })

/** What they have begun is removed on the way out. */
const exitOnSignals = (): void => {
  process.on('SIGINT', () => process.exit(130))
  process.on('SIGTERM', () => process.exit(143))
}

/** One line that is written over; only for people. */
const showProgress = (doneBytes: number, totalBytes: number): void => {
  if (!process.stderr.isTTY) return
  const percent = totalBytes === 0 ? 100 : Math.floor((100 * doneBytes) / totalBytes)
  process.stderr.write(percent === 100 ? '\r\u001B[K' : `\r${percent} %`)
}

const printLines = (lines: string[]): void => {
  for (const line of lines) print(line)
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

program.parseAsync().catch(fail)

/** The commands `tenantry audit …`. */
import type { Command } from 'commander'
import type { MoveOptions, VerifyOptions } from './audit-commands.ts'
import type { Setup } from './file-commands.ts'
import { exitOnSignals, print, printLines, showProgress } from './terminal.ts'

// Only its commands load this code, because the service does not need it.
const load = () => import('./audit-commands.ts')

export const addAuditCommands = (program: Command, { loadConfig, loadStrongConfig, quiet }: Setup): void => {
  const audit = program
    .command('audit')
    .description('check the audit chain, show the keys for it, and partition the log')

  audit
    .command('verify')
    .description('check that no audit record was altered: one line a tenant, exit code 1 on a breach')
    .option('--tenant <id or slug>', 'one tenant, also an erased one by its id; all tenants when left out')
    .option('--file <export>', 'a sealed export instead of the database; needs no configuration')
    .option('--keys <file>', 'the public keys you trust, as `audit keys` printed them')
    .option('--head <sequence:hash>', 'an earlier head, which must still be part of the chain')
    .action(async (options: VerifyOptions) => {
      const { verifyAudit, verifyAuditFile } = await load()
      const isSound =
        options.file === undefined
          ? await verifyAudit(loadConfig(), quiet(), options, print)
          : await verifyAuditFile(options.file, options, print)
      if (!isSound) process.exitCode = 1
    })

  audit
    .command('partition')
    .description('partition the log by age, as the owner of the schema, while the service runs')
    .option('--width <ids>', 'the ids of one partition; aim at a month of records', '50000000')
    .action(async ({ width }: { width: string }) => {
      const { partitionAudit } = await load()
      printLines(await partitionAudit(loadStrongConfig(), width))
    })

  audit
    .command('move')
    .description('move old partitions of the log to another PostgreSQL, while the service runs')
    .option('--before <day>', 'those whose records were all written before this day (UTC)')
    .option('--to <name>', 'the archive, as TENANTRY_ARCHIVES names it')
    .option('--back <name>', 'bring the youngest partition of an archive back instead')
    .action(async (options: MoveOptions) => {
      exitOnSignals()
      const { moveAudit } = await load()
      await moveAudit(loadStrongConfig(), options, print, showProgress)
    })

  audit
    .command('keys')
    .description('print the public keys of the audit chain as a JSON Web Key Set, to be kept elsewhere')
    .action(async () => {
      const { showAuditKeys } = await load()
      print(await showAuditKeys(loadConfig(), quiet()))
    })
}

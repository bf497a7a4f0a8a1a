import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Parts } from './context.ts'
import { rotateSigningKeys } from './features/audit/keys.service.ts'
import { createPlatformAdmin } from './features/auth/auth.service.ts'
import { Register } from './features/auth/auth.schemas.ts'
import { exportTenant } from './features/transfer/export.service.ts'
import { importTenant, tryImport } from './features/transfer/import.service.ts'
import type { About } from './features/transfer/transfer.schemas.ts'
import type { InvalidInput } from './http/validation.ts'
import { compileValidator } from './http/validation.ts'
import { closeParts, openParts, systemCtx } from './parts.ts'

/** Opens what the configuration names, does one thing, and closes it again. */
export const withParts = async <T>(
  config: Config,
  log: Logger,
  work: (parts: Parts) => Promise<T>,
): Promise<T> => {
  const parts = await openParts(config, log)
  try {
    return await work(parts)
  } finally {
    await closeParts(parts)
  }
}

/** Opening migrates; there is nothing else to do. Returns the line to print. */
export const migrateOnly = (config: Config, log: Logger): Promise<string> =>
  withParts(config, log, async () => 'the database is up to date')

export interface NewAdmin {
  email: string
  username: string
  password: string
}

/** Creates a platform administrator; throws with a line per fault of the input. Returns the line to print. */
export const createAdmin = async (config: Config, log: Logger, input: NewAdmin): Promise<string> => {
  const checked = checkAdmin(input)
  return withParts(config, log, async (parts) => {
    const userId = await createPlatformAdmin(systemCtx(parts, 'create-admin'), checked)
    return `created the platform administrator ${checked.email} (user ${userId})`
  })
}

const checkAdmin = (input: NewAdmin): NewAdmin => {
  const validate = compileValidator({ schema: Register, method: 'POST', url: '', httpPart: 'body' })
  const { value, error } = validate(input) as { value?: NewAdmin; error?: InvalidInput }
  if (error) throw new Error(error.fields.map(({ field, message }) => `${field} ${message}`).join('; '))
  return value ?? input
}

/** Makes a new key sign, and tells every replica. Returns the line to print. */
export const rotate = (config: Config, log: Logger): Promise<string> =>
  withParts(config, log, async (parts) => {
    const { token, audit } = await rotateSigningKeys(systemCtx(parts, 'rotate-keys'))
    return (
      `new tokens are signed with the key ${token.kid}; tokens signed before stay valid until they expire\n` +
      `audit records are sealed with the key ${audit.kid}; keep it elsewhere: tenantry audit keys`
    )
  })

const countsOf = ({ counts }: About): string[] =>
  Object.entries(counts).map(([part, count]) => `  ${part.slice('01-'.length).padEnd(17)} ${count}`)

const titleOf = ({ tenant }: About) => `the tenant ${tenant.name} (${tenant.slug}, ${tenant.id})`

/** Writes a tenant into a new file. Returns the lines to print. */
export const exportTenantTo = (
  config: Config,
  log: Logger,
  name: string,
  target: string,
): Promise<string[]> =>
  withParts(config, log, async (parts) => {
    const { about, file } = await exportTenant(systemCtx(parts, 'tenant export'), name, target)
    return [
      `exported ${titleOf(about)}`,
      ...countsOf(about),
      `wrote ${file}, which only you can read: it holds password hashes`,
    ]
  })

/** Brings a tenant in. Throws Refusal with a line for each conflict. Returns the lines to print. */
export const importTenantFrom = (config: Config, log: Logger, file: string): Promise<string[]> =>
  withParts(config, log, async (parts) => {
    const about = await importTenant(systemCtx(parts, 'tenant import'), file)
    return [`imported ${titleOf(about)}`, ...countsOf(about)]
  })

/** The same, and takes it back. */
export const tryImportTenantFrom = (config: Config, log: Logger, file: string): Promise<string[]> =>
  withParts(config, log, async (parts) => {
    const about = await tryImport(systemCtx(parts, 'tenant import'), file)
    return [
      `nothing is in the way of ${titleOf(about)}`,
      ...countsOf(about),
      'nothing was changed (--dry-run)',
    ]
  })

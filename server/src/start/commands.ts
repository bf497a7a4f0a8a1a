import type { Logger } from 'pino'
import type { TSchema } from 'typebox'
import { Type } from '../values/type.ts'
import type { Config } from '../config/config.ts'
import { requireArchive } from '../archive.ts'
import { builtInTenant } from '../access/permissions.ts'
import { inTenant, type Ctx, type Parts } from '../context.ts'
import { keySetSeconds } from '../crypto/keys.ts'
import type { RotationOptions } from '../crypto/rotation.ts'
import {
  resetSecrets,
  rotateSigningKeys,
  rotateStoredSecrets,
} from '../features/tenancy/system/key-rotation.service.ts'
import { createPlatformAdmin } from '../features/sign-in/auth/auth.service.ts'
import { Register } from '../features/sign-in/auth/auth.schemas.ts'
import { resetFactorsByEmail, resetPasswordByEmail } from '../features/sign-in/auth/operator.service.ts'
import { refusesPassword } from '../values/guessed-passwords.ts'
import { Email, Password } from '../features/accounts/users/users.schemas.ts'
import { freeUsername } from '../features/tenancy/imports/usernames.service.ts'
import { exportTenant } from '../features/tenancy/transfer/export.service.ts'
import { importTenant, tryImport, type Imported } from '../features/tenancy/transfer/import.service.ts'
import type { About } from '../features/tenancy/transfer/transfer.schemas.ts'
import type { InvalidInput } from '../http/validation.ts'
import { compileValidator } from '../http/validation.ts'
import { closeParts, openParts, systemCtx } from './parts.ts'
import { openSecretsAnew } from './secret-keys.ts'

/** Opens the configured stores, runs one task and closes them. */
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

/** Migrates the database by opening the stores. Returns the line to print. */
export const migrateOnly = (config: Config, log: Logger): Promise<string> =>
  withParts(config, log, async () => 'all migrations have run: the database is up to date')

export interface NewAdmin {
  email: string
  /** The default is `admin`, with a number if that is taken. */
  username?: string
  password: string
}

/** Creates a platform administrator. Throws an Error with all faults of the input. Returns the line to print. */
export const createAdmin = async (config: Config, log: Logger, input: NewAdmin): Promise<string> => {
  const admin = checked(Register, { username: 'admin', ...input })
  requireUnguessed(config, admin)
  return withParts(config, log, async (parts) => {
    const ctx = systemCtx(parts, 'create-admin')
    const username = input.username ?? (await freeUsername(inTenant(ctx, builtInTenant.id), admin.username))
    const userId = await createPlatformAdmin(ctx, { ...admin, username })
    return `created the platform administrator ${admin.email} (user ${userId}, username ${username})`
  })
}

/** Checks the input as the API does. Throws an Error of one line with every fault. */
const checked = <T extends object>(schema: TSchema, input: T): T => {
  const validate = compileValidator({ schema, method: 'POST', url: '', httpPart: 'body' })
  const { value, error } = validate(input) as { value?: T; error?: InvalidInput }
  if (error) throw new Error(error.fields.map(({ field, message }) => `${field} ${message}`).join('; '))
  return value ?? input
}

const requireUnguessed = (config: Config, login: { email: string; password: string }): void => {
  if (refusesPassword(config, login)) throw new Error('password is one of those that are guessed first')
}

const Reset = Type.Object({ email: Email, password: Type.Optional(Password) })

/** Removes a person's second factors. Returns the line to print. */
export const removeFactors = (config: Config, log: Logger, input: { email: string }): Promise<string> => {
  const { email } = checked(Reset, input)
  return withParts(config, log, async (parts) => {
    await resetFactorsByEmail(systemCtx(parts, 'reset-factors'), email)
    return `${email} has no second factor and no session any more`
  })
}

/** Sets a person's password. Returns the line to print. */
export const setPassword = (
  config: Config,
  log: Logger,
  input: { email: string; password: string },
): Promise<string> => {
  const { email, password } = checked(Reset, input)
  requireUnguessed(config, { email, password })
  return withParts(config, log, async (parts) => {
    await resetPasswordByEmail(systemCtx(parts, 'reset-password'), email, password)
    return `${email} has the new password and no session any more; second factors stay`
  })
}

/** Creates new signing keys and notifies every replica. Returns the lines to print. */
export const rotate = (config: Config, log: Logger, options: RotationOptions): Promise<string[]> =>
  withParts(config, log, async (parts) => {
    const { access, refresh, audit, signsFrom } = await rotateSigningKeys(
      systemCtx(parts, 'rotate-keys'),
      options,
    )
    const cost = options.isLeaked
      ? [
          `access tokens are signed with the key ${access.kid} from now on`,
          'every token signed before is refused: all users sign in again',
          `a verifier elsewhere that caches the key set trusts the old key, and refuses new tokens, for up to ${keySetSeconds} s`,
        ]
      : [
          `access tokens are signed with the key ${access.kid} from ${signsFrom.toISOString()} on, when every cache of the key set has it`,
          'tokens signed before stay valid until they expire',
        ]
    return [
      ...cost,
      `refresh tokens are signed with the key ${refresh.kid} from now on`,
      `audit records are sealed with the key ${audit.kid}; keep it elsewhere: tenantry audit keys`,
    ]
  })

/** Encrypts all secrets with the first secret key. Returns the line to print. */
export const rewriteSecrets = (config: Config, log: Logger): Promise<string> =>
  withParts(config, log, async (parts) => {
    const count = await rotateStoredSecrets(systemCtx(parts, 'rotate-secrets'))
    return `${count} secrets were encrypted anew; the first secret key opens all of them, and no other key is needed`
  })

/** Deletes the secrets that a lost key encrypted. Returns the lines to print. */
export const giveUpSecrets = async (config: Config, log: Logger): Promise<string[]> => {
  const parts = await openParts(config, log, undefined, openSecretsAnew)
  try {
    const { access } = await resetSecrets(systemCtx(parts, 'reset-secrets'))
    return [
      `tokens are signed with the new key ${access.kid}: all users sign in again`,
      'authenticator apps (TOTP) are gone; passwords, passkeys and recovery codes are as they were',
    ]
  } finally {
    await closeParts(parts)
  }
}

const countsOf = ({ counts }: About): string[] =>
  Object.entries(counts).map(([part, count]) => `  ${part.slice('01-'.length).padEnd(17)} ${count}`)

/** Lines about people who already have an account in this installation. */
const knownOf = ({ known }: Imported): string[] =>
  known.map(({ email, isEnabled }) =>
    isEnabled
      ? `  ${email} has an account here: an invitation takes the place of the user`
      : `  ${email} has an account here, and was disabled: nobody is invited`,
  )

const titleOf = ({ tenant }: About) => `the tenant ${tenant.name} (${tenant.slug}, ${tenant.id})`

/** Exports a tenant into a new file. Returns the lines to print. */
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

const withArchive = <T>(
  config: Config,
  log: Logger,
  file: string,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> => {
  requireArchive(file)
  return withParts(config, log, (parts) => work(systemCtx(parts, 'tenant import')))
}

/** Imports a tenant. Throws a Refusal with a line for each conflict. Returns the lines to print. */
export const importTenantFrom = (config: Config, log: Logger, file: string): Promise<string[]> =>
  withArchive(config, log, file, async (ctx) => {
    const about = await importTenant(ctx, file)
    return [`imported ${titleOf(about)}`, ...countsOf(about), ...knownOf(about)]
  })

/** Imports a tenant and rolls back, as a dry run. */
export const tryImportTenantFrom = (config: Config, log: Logger, file: string): Promise<string[]> =>
  withArchive(config, log, file, async (ctx) => {
    const about = await tryImport(ctx, file)
    return [
      `nothing is in the way of ${titleOf(about)}`,
      ...countsOf(about),
      ...knownOf(about),
      'nothing was changed (--dry-run)',
    ]
  })

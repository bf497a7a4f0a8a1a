import type { Logger } from 'pino'
import { ssoSetting } from '../access/tenant-settings.sql.ts'
import type { Config } from '../config/config.ts'
import { inTenant } from '../context.ts'
import { createSecretKeys } from '../features/configuration/settings/declared.service.ts'
import { putTenantSetting } from '../features/configuration/settings/writes.service.ts'
import { getTenantNamed } from '../features/tenancy/transfer/export.service.ts'
import { withParts } from './commands.ts'
import { systemCtx } from './parts.ts'

/** Makes a tenant accept every sign-in method again. Returns the line to print. */
export const makeOptional = (config: Config, log: Logger, name: string): Promise<string> =>
  withParts(config, log, async (parts) => {
    const ctx = systemCtx(parts, 'sso optional')
    const { id, slug } = await getTenantNamed(ctx, name)
    const input = { value: 'optional', ifMatch: undefined }
    await putTenantSetting(inTenant(ctx, id), createSecretKeys(), ssoSetting, input)
    return `people sign in to ${slug} in every way again: ${ssoSetting} is optional`
  })

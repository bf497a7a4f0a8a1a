import type { Logger } from 'pino'
import { waysSetting } from '../access/tenant-settings.sql.ts'
import type { Config } from '../config/config.ts'
import { inTenant } from '../context.ts'
import { createSecretKeys } from '../features/configuration/settings/declared.service.ts'
import { putGlobalSetting, putTenantSetting } from '../features/configuration/settings/writes.service.ts'
import { getTenantNamed } from '../features/tenancy/transfer/export.service.ts'
import { withParts } from './commands.ts'
import { systemCtx } from './parts.ts'

const open = { value: { password: true, passkey: true }, ifMatch: undefined }

/** Opens passwords and passkeys again, in the installation or in a tenant. Returns the line to print. */
export const openWaysAgain = (config: Config, log: Logger, name: string | undefined): Promise<string> =>
  withParts(config, log, async (parts) => {
    const ctx = systemCtx(parts, 'ways open')
    if (name === undefined) {
      await putGlobalSetting(ctx, createSecretKeys(), waysSetting, open)
      return 'passwords and passkeys are open again in the installation; a tenant can still close them'
    }
    const { id, slug } = await getTenantNamed(ctx, name)
    await putTenantSetting(inTenant(ctx, id), createSecretKeys(), waysSetting, open)
    return `passwords and passkeys are open again in ${slug}, as far as the installation opens them`
  })

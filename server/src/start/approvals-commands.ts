import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { inTenant } from '../context.ts'
import { deletePoliciesByOperator } from '../features/tenancy/approvals/policies.service.ts'
import { getTenantNamed } from '../features/tenancy/transfer/export.service.ts'
import { withParts } from './commands.ts'
import { systemCtx } from './parts.ts'

/** Deletes all policies of a tenant, so that no change needs approvals. Returns the line to print. */
export const turnApprovalsOff = (config: Config, log: Logger, name: string): Promise<string> =>
  withParts(config, log, async (parts) => {
    const ctx = systemCtx(parts, 'approvals off')
    const { id, slug } = await getTenantNamed(ctx, name)
    const count = await deletePoliciesByOperator(inTenant(ctx, id))
    return count === 0
      ? `no change of ${slug} needs approvals`
      : `no change of ${slug} needs approvals any more: ${count} policies are deleted`
  })

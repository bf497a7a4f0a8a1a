import { inTenant, type Ctx } from '../../../context.ts'
import { passOverRemoved } from '../../../errors/app-error.ts'

/** 20 unreachable servers together take 5 seconds. */
const atOnce = 20

/** Runs a maintenance task for due rows of all tenants, each in the scope of its tenant, 20 at a time. */
export const forEachDue = async <Id>(
  ctx: Ctx,
  due: { tenant_id: string; id: Id }[],
  work: (there: Ctx, id: Id) => Promise<void>,
): Promise<void> => {
  const worker = async () => {
    for (let next = due.pop(); next; next = due.pop()) {
      await work(inTenant(ctx, next.tenant_id), next.id).catch(passOverRemoved)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

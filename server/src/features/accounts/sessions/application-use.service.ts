import { mayUse, type UsedApplication } from '../../../access/application-use.ts'
import { codesHeldBy } from '../../../access/authority.ts'
import type { CallerlessCtx } from '../../../context.ts'

/** Whether a user of the tenant in scope may use an application. Reads permissions only where one is required. */
export const mayUserUse = async (
  ctx: CallerlessCtx,
  userId: number,
  application: UsedApplication,
): Promise<boolean> =>
  application.required_permission === null || mayUse(application, await codesHeldBy(ctx, userId))

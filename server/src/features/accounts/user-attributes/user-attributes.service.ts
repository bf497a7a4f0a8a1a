/** The attributes of users, as administrators and the users themselves read and write them. */
import { changingAuthority, requireRankOverUser } from '../../../access/authority.ts'
import { inOwnTenant, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import { naming, record, type Detail } from '../../audit/audit/audit.service.ts'
import { capacityOf } from '../../configuration/attributes/attribute-access.service.ts'
import type { AttributeValues } from '../../configuration/attributes/attributes.schemas.ts'
import { changeValues, readValues } from '../../configuration/attributes/values.service.ts'
import { getUser, lockUserWithCodes } from '../users/users.service.ts'

interface NamedUser {
  id: number
  username: string
}

const recordChange = (ctx: TransactionCtx, { id, username }: NamedUser, detail: Detail): void => {
  if (Object.keys(detail).length === 0) return
  record(ctx, { action: 'user.update', resourceId: id, detail: { ...naming({ username }), ...detail } })
}

export const getUserAttributes = async (ctx: Ctx, id: number): Promise<AttributeValues> => {
  await getUser(ctx, id)
  return readValues(ctx, { tenantId: ctx.tenantId, userId: id }, capacityOf(ctx.actor))
}

/** Changes attributes of a user who does not rank above the caller. */
export const patchUserAttributes = (ctx: Ctx, id: number, input: AttributeValues): Promise<AttributeValues> =>
  changingAuthority(
    ctx,
    (ctx) => lockUserWithCodes(ctx, id),
    async (ctx, { user, codes }) => {
      requireRankOverUser(ctx, id, codes)
      const holder = { tenantId: ctx.tenantId, userId: id }
      const { detail, values } = await changeValues(ctx, holder, capacityOf(ctx.actor), input)
      recordChange(ctx, user, detail)
      return values
    },
  )

/** The attributes of the caller's own user, in the caller's own tenant. */
export const getOwnAttributes = (ctx: Ctx): Promise<AttributeValues> => {
  const { userId, tenantId } = ctx.actor
  return readValues(inOwnTenant(ctx), { tenantId, userId }, 'self')
}

/** Changes attributes of the caller's own user. No permission allows more than their declarations say of users. */
export const patchOwnAttributes = (ctx: Ctx, input: AttributeValues): Promise<AttributeValues> =>
  inTransaction(inOwnTenant(ctx), async (ctx) => {
    const { userId, tenantId } = ctx.actor
    const { user } = await lockUserWithCodes(ctx, userId)
    const { detail, values } = await changeValues(ctx, { tenantId, userId }, 'self', input)
    recordChange(ctx, user, detail)
    return values
  })

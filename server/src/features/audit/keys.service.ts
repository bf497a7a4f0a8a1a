import { inTransaction, type Ctx, type Parts } from '../../context.ts'
import { rotateKeys, type Rotation } from '../../crypto/keys.ts'
import type { PublicKey } from '../../crypto/keys.store.ts'
import { listAuditKeys } from '../../crypto/statements.ts'
import { record } from './audit.service.ts'

/** Makes new keys sign tokens and the audit chain, tells every replica, and leaves a record in the tenant in scope. */
export const rotateSigningKeys = (ctx: Ctx): Promise<{ token: Rotation; audit: Rotation }> =>
  inTransaction(ctx, async (ctx) => {
    const rotated = await rotateKeys(ctx.db, ctx.parts.now())
    await record(ctx, {
      action: 'key.rotate',
      resourceId: rotated.token.kid,
      detail: { token: changeOf(rotated.token), audit: changeOf(rotated.audit) },
    })
    ctx.changes.push({ kind: 'keys' })
    return rotated
  })

const changeOf = ({ kid, retired }: Rotation) => ({ from: retired, to: kid })

/** The public keys of the audit chain as a JSON Web Key Set, newest first. */
export const getAuditKeys = async ({ store }: Pick<Parts, 'store'>): Promise<{ keys: PublicKey[] }> => ({
  keys: await store.transaction({}, listAuditKeys, 'tenantry_seal'),
})

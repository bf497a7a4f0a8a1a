import { inTransaction, type Ctx } from '../../../context.ts'
import { forgetHashKeys } from '../../../crypto/hash-keys.ts'
import { insertFingerprint, deleteFingerprintsBut } from '../../../crypto/secrets.store.ts'
import { rotateSecrets } from '../../../crypto/secret-rotation.ts'
import { rotateKeys, type Rotation, type RotationOptions, type Succession } from '../../../crypto/rotation.ts'
import { forgetTotp } from '../../accounts/factors/factors.service.ts'
import { forgetSealed } from '../../accounts/mail/mail.service.ts'
import { forgetWebhookSecrets } from '../../delivery/webhooks/webhooks.service.ts'
import { forgetSecretSettings } from '../../configuration/settings/secrets.service.ts'
import { record } from '../../audit/audit/audit.service.ts'

/**
 * Creates new signing keys for tokens and the audit chain. Notifies every replica, and writes an audit record in the
 * tenant in scope.
 */
export const rotateSigningKeys = (ctx: Ctx, options?: RotationOptions): Promise<Rotation> =>
  inTransaction(ctx, async (ctx) => {
    const rotated = await rotateKeys(ctx.db, ctx.parts.secrets, ctx.parts.now(), options)
    const { access, refresh, audit } = rotated
    record(ctx, {
      action: 'key.rotate',
      resourceId: access.kid,
      detail: { access: changeOf(access), refresh: changeOf(refresh), audit: changeOf(audit) },
    })
    ctx.changes.push({ kind: 'keys' })
    return rotated
  })

/**
 * Encrypts every secret with the first secret key, and writes an audit record. Returns the number of rewritten secrets.
 */
export const rotateStoredSecrets = async (ctx: Ctx): Promise<number> => {
  const { store, secrets } = ctx.parts
  const count = await rotateSecrets(store, secrets)
  await inTransaction(ctx, async (ctx) => {
    const detail = { rewritten: { from: null, to: count } }
    record(ctx, { action: 'secret.rotate', resourceId: nameOf(ctx), detail })
  })
  return count
}

/**
 * Deletes all secrets that a lost secret key encrypted. Replaces the signing keys, so every user must sign in again.
 */
export const resetSecrets = (ctx: Ctx): Promise<Rotation> =>
  inTransaction(ctx, async (ctx) => {
    const { secrets, now } = ctx.parts
    const rotated = await rotateKeys(ctx.db, secrets, now(), { isLeaked: true })
    forgetSealed(ctx)
    forgetTotp(ctx)
    forgetHashKeys(ctx.db)
    forgetWebhookSecrets(ctx)
    await forgetSecretSettings(ctx)
    const current = secrets.current ?? Buffer.alloc(0)
    await deleteFingerprintsBut(ctx.db, current)
    if (secrets.isOn) await insertFingerprint(ctx.db, current, now())
    const { access, refresh, audit } = rotated
    record(ctx, {
      action: 'secret.reset',
      resourceId: nameOf(ctx),
      detail: { access: changeOf(access), refresh: changeOf(refresh), audit: changeOf(audit) },
    })
    ctx.changes.push({ kind: 'keys' })
    return rotated
  })

/** The fingerprint of the present secret key. */
const nameOf = ({ parts: { secrets } }: Ctx): string => secrets.current?.toString('hex') ?? 'none'

const changeOf = ({ kid, retired }: Succession) => ({ from: retired, to: kid })

/** Secrets of applications that have a server. */
import { changingCatalogue } from '../../../access/authority.ts'
import type { Ctx } from '../../../context.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import type { Application, CreatedSecret, CreateSecret } from './applications.schemas.ts'
import { addSecret, getApplication, requireMayManage } from './applications.service.ts'
import * as store from './applications.store.ts'

/** docs/contract.md, "Applications". */
const livingSecretsMax = 2

const requireRoom = ({ secrets }: Application, now: Date): void => {
  const living = secrets.filter(({ expires_at: end }) => end === '' || new Date(end) > now)
  if (living.length >= livingSecretsMax) {
    throw new AppError(
      'applicationSecretsFull',
      `An application has at most ${livingSecretsMax} living secrets: revoke one first`,
    )
  }
}

/** Adds a secret, which only the answer shows. Sessions stay. Throws 400 for an application without a server. */
export const createSecret = (
  ctx: Ctx,
  id: number,
  { expires_at: end }: CreateSecret,
): Promise<CreatedSecret> => {
  const expiresAt = end === undefined ? undefined : new Date(end)
  if (expiresAt && expiresAt <= ctx.parts.now()) throw invalid('expires_at', 'must be in the future')
  return changingCatalogue(
    ctx,
    (ctx) => getApplication(ctx, id),
    async (ctx, application) => {
      await requireMayManage(ctx, application)
      if (application.kind !== 'web') {
        throw new AppError('applicationPublic', 'Only a web application can keep a secret')
      }
      const now = ctx.parts.now()
      requireRoom(application, now)
      store.deleteExpiredSecretRows(ctx.db, id, now)
      const added = addSecret(ctx, id, expiresAt)
      record(ctx, {
        action: 'application.secret_create',
        resourceId: id,
        detail: {
          ...naming({ name: application.name }),
          ...changesBetween({}, { id: added.id, expires_at: expiresAt?.toISOString() ?? '' }),
        },
      })
      ctx.changes.push({ kind: 'catalogue' })
      return added
    },
  )
}

/** Revokes a secret. After the answer, requests with the secret are refused. */
export const deleteSecret = (ctx: Ctx, id: number, secretId: string): Promise<null> =>
  changingCatalogue(
    ctx,
    (ctx) => getApplication(ctx, id),
    async (ctx, application) => {
      await requireMayManage(ctx, application)
      const revoked = application.secrets.find((secret) => secret.id === secretId.toLowerCase())
      if (!revoked) throw new AppError('applicationSecretUnknown', 'The application has no such secret')
      store.deleteSecretRow(ctx.db, revoked.id)
      record(ctx, {
        action: 'application.secret_revoke',
        resourceId: id,
        detail: { ...naming({ name: application.name }), ...changesBetween({ ...revoked }, {}) },
      })
      ctx.changes.push({ kind: 'catalogue' })
      return null
    },
  )

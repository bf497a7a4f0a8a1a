/** The encrypted secrets of connections. */
import type { TransactionCtx } from '../../../context.ts'
import { secretsOff } from '../../../crypto/secrets.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { AppError } from '../../../errors/app-error.ts'
import { bindingOf } from './connection-config.service.ts'
import type { UpdateConnection } from './connections.schemas.ts'
import { insertSecret, updateSecret } from './connections.store.ts'

/** Throws 409 if a connection of any tenant has this id. */
export const keepFirstSecret = async (
  { db, tenantId, parts }: TransactionCtx,
  id: string,
  secret: string,
): Promise<void> => {
  await insertSecret(db, tenantId, id, parts.secrets.seal(secret, bindingOf(id))).catch((err: unknown) => {
    throw violatesUnique(err, 'connection_secrets_pkey')
      ? new AppError('connectionIdTaken', 'A connection has this id already. Choose another')
      : err
  })
}

export const keepSecret = (
  { db, tenantId, parts: { secrets } }: TransactionCtx,
  id: string,
  { client_secret: secret }: UpdateConnection,
): void => {
  if (secret === undefined) return
  if (!secrets.isOn) throw secretsOff()
  updateSecret(db, tenantId, id, secrets.seal(secret, bindingOf(id)))
}

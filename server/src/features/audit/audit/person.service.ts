/** The records of one user, for an export of what is stored about them. */
import type { Ctx } from '../../../context.ts'
import { shown, shownWithActor, type StoredAuditLog } from './actors.ts'
import type { AuditLog } from './audit.schemas.ts'
import type { AuditFilter } from './audit.store.ts'
import { readBatches } from './export.service.ts'

type Check = () => Promise<unknown>

/** A caller from another tenant can have the same id as a user here. Records of such a caller are not the user's. */
const isBy = (log: StoredAuditLog, userId: number): boolean =>
  log.user_id === userId && shownWithActor(log).actor?.kind === 'user'

async function* read<T>(
  ctx: Ctx,
  filter: AuditFilter,
  check: Check,
  show: (log: StoredAuditLog) => T[],
): AsyncGenerator<T[]> {
  for await (const logs of readBatches(ctx, filter, check)) yield logs.flatMap(show)
}

/** The records about a user of the tenant in scope, oldest first. Omits other people's addresses and browsers. */
export const recordsAbout = (ctx: Ctx, userId: number, check: Check): AsyncGenerator<AuditLog[]> =>
  read(ctx, { aboutUserId: userId }, check, (log) => [
    isBy(log, userId) ? shown(log) : { ...shown(log), ip: '', user_agent: '' },
  ])

/** The records of acts of a user of the tenant in scope, oldest first. Omits details, which can name other people. */
export const recordsBy = (
  ctx: Ctx,
  userId: number,
  check: Check,
): AsyncGenerator<Omit<AuditLog, 'detail'>[]> =>
  read(ctx, { userId }, check, (log) => {
    const { detail: _detail, ...act } = log
    return isBy(log, userId) ? [act] : []
  })

/** Values that belong to one user. Only declared keys have them. */
import { changingAuthority, requireRankOverUser } from '../../../access/authority.ts'
import { inTransactionAfter, type Ctx, type TransactionCtx } from '../../../context.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { loggable, naming, record } from '../../audit/audit/audit.service.ts'
import { findDeclaration, requireDeclared } from '../../configuration/settings/declared.service.ts'
import { settingUnknown, toJson } from '../../configuration/settings/writes.service.ts'
import { getUser, lockUserWithCodes, userUnknown } from '../users/users.service.ts'
import type { UserSetting } from './user-settings.schemas.ts'
import * as store from './user-settings.store.ts'

const entriesMax = 100
const bytesMax = 65_536

/** The caller's own values are in the caller's own tenant. In another tenant the caller is no user. */
const ownPlace = ({ actor, tenantId }: Ctx, key: string): store.UserPlace => {
  if (actor.tenantId !== tenantId) throw userUnknown()
  return { tenantId, userId: actor.userId, key }
}

const found = (setting: UserSetting | undefined): UserSetting => {
  if (!setting) throw settingUnknown()
  return setting
}

export const getOwnValue = async (ctx: Ctx, key: string): Promise<UserSetting> =>
  found(await store.selectUserSetting(ctx.db, ownPlace(ctx, key)))

/** The value of another user. */
export const getUserValue = async (ctx: Ctx, userId: number, key: string): Promise<UserSetting> => {
  await getUser(ctx, userId)
  return found(await store.selectUserSetting(ctx.db, { tenantId: ctx.tenantId, userId, key }))
}

const tell = (ctx: TransactionCtx, { tenantId, userId }: store.UserPlace): void => {
  ctx.changes.push({ kind: 'settings', tenantId, userId })
}

const changeOf = ({ key, userId }: store.UserPlace, from: unknown, to: unknown) => ({
  ...naming({ key }),
  user_id: { from: userId, to: userId },
  value: { from: loggable(key, from), to: loggable(key, to) },
})

const requireRoom = async (ctx: TransactionCtx, place: store.UserPlace): Promise<void> => {
  const { entries, length } = await store.measureUserSettings(ctx.db, place)
  if (entries > entriesMax || length > bytesMax) {
    throw new AppError(
      'settingsFull',
      `There is room for ${entriesMax} settings and 64 KiB of values of a user. Delete what is not needed`,
    )
  }
}

/**
 * Callers without `setting:read` must not learn which keys exist, so unknown and non-public keys get the same answer.
 */
const notForUsers = () => invalid('key', 'is not declared for the values of users')

const write = async (ctx: TransactionCtx, place: store.UserPlace, value: unknown): Promise<null> => {
  const declaration = await findDeclaration(ctx, place.key)
  if (!declaration?.scopes.includes('user')) throw notForUsers()
  requireDeclared(declaration, 'user', value)
  const before = await store.selectUserSetting(ctx.db, place)
  const changed = await store.upsertUserSetting(ctx.db, place, toJson(value), ctx.parts.now())
  if (!changed) return null
  await requireRoom(ctx, place)
  tell(ctx, place)
  record(ctx, {
    action: before ? 'setting.update' : 'setting.create',
    resourceId: place.key,
    aboutUserId: place.userId,
    detail: changeOf(place, before?.value ?? null, value),
  })
  return null
}

const remove = async (ctx: TransactionCtx, place: store.UserPlace): Promise<null> => {
  const removed = await store.deleteUserSettingRow(ctx.db, place)
  if (!removed) throw settingUnknown()
  tell(ctx, place)
  record(ctx, {
    action: 'setting.delete',
    resourceId: place.key,
    aboutUserId: place.userId,
    detail: changeOf(place, removed.value, null),
  })
  return null
}

const locking = (
  ctx: Ctx,
  place: store.UserPlace,
  work: (ctx: TransactionCtx) => Promise<null>,
): Promise<null> =>
  inTransactionAfter(
    ctx,
    async ({ db }) => store.lockUserSettings(db, place),
    (ctx) => work(ctx),
  )

export const putOwnValue = async (ctx: Ctx, key: string, value: unknown): Promise<null> => {
  const place = ownPlace(ctx, key)
  return locking(ctx, place, (ctx) => write(ctx, place, value))
}

export const deleteOwnValue = async (ctx: Ctx, key: string): Promise<null> => {
  const place = ownPlace(ctx, key)
  return locking(ctx, place, (ctx) => remove(ctx, place))
}

/** Changes a value of a user who does not rank above the caller. */
const changingUser = (
  ctx: Ctx,
  { userId, key }: { userId: number; key: string },
  work: (ctx: TransactionCtx, place: store.UserPlace) => Promise<null>,
): Promise<null> =>
  changingAuthority(
    ctx,
    (ctx) => lockUserWithCodes(ctx, userId),
    async (ctx, { codes }) => {
      requireRankOverUser(ctx, userId, codes)
      const place = { tenantId: ctx.tenantId, userId, key }
      store.lockUserSettings(ctx.db, place)
      return work(ctx, place)
    },
  )

export const putUserValue = (
  ctx: Ctx,
  { userId, key }: { userId: number; key: string },
  value: unknown,
): Promise<null> => changingUser(ctx, { userId, key }, (ctx, place) => write(ctx, place, value))

export const deleteUserValue = (ctx: Ctx, userId: number, key: string): Promise<null> =>
  changingUser(ctx, { userId, key }, remove)

/** New users of a directory. */
import { randomUUID } from 'node:crypto'
import { changingAuthority, type AuthorityCtx } from '../../../access/authority.ts'
import { lockAuthorityAgainstChange } from '../../../access/tenancy.store.ts'
import { inTransactionAfter, type Ctx, type EarlyCtx, type TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { changesBetween, record } from '../../audit/audit/audit.service.ts'
import { mapDirectoryRoles } from './groups.service.ts'
import { freeUsername } from '../imports/usernames.service.ts'
import { applyPush } from '../../accounts/users/pushed.service.ts'
import {
  addUser,
  addUserUncounted,
  freeEmail,
  lockUserWithCodes,
} from '../../accounts/users/users.service.ts'
import type { ShownRow } from './answers.ts'
import {
  asUniqueness,
  notFree,
  ofDirectory,
  requireDirectory,
  requireOwnDomain,
} from './directory.service.ts'
import { fillAttributes } from './filling.service.ts'
import { readResource } from './patch.ts'
import type { Projection } from './scim.schemas.ts'
import { foldedParts, nicknameOf, userValueOf, type UserValue } from './user-values.ts'
import { userKindWith } from './texts.ts'
import { allFieldsOf, answerOf, pushTo, readPaths } from './users.service.ts'
import { insertUser, selectUserOfAddress, type Directory } from './users.store.ts'

/** Links a user of the tenant to the directory. Changes only nickname, active state and mapped roles. */
const adopt = async (ctx: AuthorityCtx, userId: number, value: UserValue): Promise<void> => {
  const { user } = await lockUserWithCodes(ctx, userId)
  const { taken } = await mapDirectoryRoles(ctx, [userId])
  const roles = changesBetween(taken.length > 0 ? { role_ids: taken.map((one) => one.role_id) } : {}, {})
  await pushTo(ctx, user, { after: value }, { directory: { from: null, to: true }, ...roles })
}

const noPassword = { password_hash: '', password_scheme: 'none' } as const

/** Creates an active user with a new account. The caller disables the user of an inactive value. */
const createWithAccount = async (
  ctx: TransactionCtx,
  value: UserValue,
  username: string,
): Promise<number> => {
  const { email, active } = value
  const nickname = nicknameOf(value)
  // An inactive user does not count.
  const add = active ? addUser : addUserUncounted
  const { user } = await add(ctx, { email, username, nickname }, noPassword)
  record(ctx, {
    action: 'user.create',
    resourceId: user.id,
    detail: {
      ...changesBetween({}, { email, username, nickname, status: active ? 1 : 0, active }),
      ...(await fillAttributes(ctx, user.id, { after: value })),
      ...ofDirectory,
    },
  })
  return user.id
}

/** The user of a new resource. Null for an account of other tenants, until its person proves the account. */
const findOrCreateUser = async (
  ctx: AuthorityCtx,
  value: UserValue,
  username: string,
): Promise<number | null> => {
  const found = await selectUserOfAddress(ctx.db, ctx.tenantId, value.email)
  if (found?.is_kept) throw notFree()
  if (found) {
    if (found.user_id !== null) await adopt(ctx, found.user_id, value)
    return found.user_id
  }
  const userId = await createWithAccount(ctx, value, username)
  if (value.active) return userId
  const { user } = await lockUserWithCodes(ctx, userId)
  await applyPush(ctx, user, { nickname: user.nickname, isActive: false })
  return userId
}

interface NewResource {
  id: string
  value: UserValue
  /** The paths that fill attributes. */
  paths: string[]
  now: Date
}

/**
 * Reads the facts that decide about a new resource. Sends the statements together, because changes of authority in the
 * tenant wait meanwhile.
 */
const factsOf =
  ({ actor }: Ctx, { value }: NewResource) =>
  (early: EarlyCtx) => {
    const ctx = { ...early, actor }
    return Promise.all([
      requireDirectory(ctx),
      freeUsername(ctx, value.userName),
      requireOwnDomain(ctx, value.email),
    ])
  }

const insertResource = (
  { db, tenantId }: TransactionCtx,
  { id, value, now }: NewResource,
  directory: Directory,
  userId: number | null,
): void => insertUser(db, { tenantId, id, value, folded: foldedParts(value), directory, userId }, now)

/**
 * Creates a resource with a new account. That changes nobody's authority, so other creations run at the same time.
 * Throws 409 if one of them takes the address or the username.
 */
const createBeside = (ctx: Ctx, resource: NewResource): Promise<void> =>
  inTransactionAfter(
    ctx,
    factsOf(ctx, resource),
    async (ctx, [directory, username]) =>
      insertResource(ctx, resource, directory, await createWithAccount(ctx, resource.value, username)),
    lockAuthorityAgainstChange,
  )

/** Creates a resource of a known, a new or an inactive user. */
const createInTurn = (ctx: Ctx, resource: NewResource): Promise<void> =>
  changingAuthority(ctx, factsOf(ctx, resource), async (ctx, [directory, username]) => {
    const { id, value, paths } = resource
    const userId = await findOrCreateUser(ctx, value, username)
    insertResource(ctx, resource, directory, userId)
    if (userId !== null) return
    const detail = changesBetween({}, allFieldsOf(value, paths))
    record(ctx, { action: 'directory_user.create', resourceId: id, detail })
  })

/** Creates a resource beside others if nobody has its address or its username. */
const createResource = async (ctx: Ctx, resource: NewResource): Promise<void> => {
  const { email, active } = resource.value
  const isFree = await freeEmail(ctx, email)
  try {
    if (isFree && active) return await createBeside(ctx, resource)
  } catch (err) {
    if (!(err instanceof AppError && err.status === 409)) throw err
  }
  return createInTurn(ctx, resource)
}

/** The resource as a later request reads it. No group has it as a member yet. */
const rowOf = ({ id, value, now }: NewResource): ShownRow => ({
  id,
  external_id: value.externalId,
  user_name: value.userName,
  display_name: value.displayName,
  active: value.active,
  name: value.name,
  emails: value.emails,
  extension: value.extension,
  texts: value.texts,
  groups: [],
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
})

/** Creates a user of the directory. */
export const createUser = async (ctx: Ctx, body: unknown, projection: Projection): Promise<string> => {
  const paths = await readPaths(ctx)
  const value = userValueOf(readResource(userKindWith(paths), body), { active: true, texts: {} }, paths)
  const resource = { id: randomUUID(), value, paths, now: ctx.parts.now() }
  await createResource(ctx, resource).catch(asUniqueness)
  return answerOf(ctx, rowOf(resource), projection)
}

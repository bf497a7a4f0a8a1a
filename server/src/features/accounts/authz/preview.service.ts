import { changingAuthority } from '../../../access/authority.ts'
import {
  declareAffected,
  fetchAffected,
  selectEffectivePermissions,
  type EffectivePermissions,
} from '../../../access/authority.store.ts'
import { builtInIdMax, builtInTenant, type PermissionCode } from '../../../access/permissions.ts'
import { isAllowed, requireAllowed } from '../../../access/policies.ts'
import { lockOutAuthority } from '../../../access/tenancy.store.ts'
import { inTenantWithin, type Ctx, type UncheckedCtx } from '../../../context.ts'
import type { TransactionDb } from '../../../db/client.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { totalMax } from '../../../http/schemas.ts'
import { rehearse } from '../../../rehearsal.ts'
import { assignRole, unassignRole } from '../roles/assignments.service.ts'
import { deleteRole, replaceRolePermissions } from '../roles/roles.service.ts'
import { deleteTemplate, updateTemplate } from '../roles/templates.service.ts'
import { updateUser } from '../users/users.service.ts'
import { lockTurn } from './authz.store.ts'
import type { Change, Preview } from './preview.schemas.ts'

type CompleteChange = Required<Omit<Change, 'expires_at'>> & Pick<Change, 'expires_at'>

interface Endpoint {
  /** The permission that the endpoint of the change needs. */
  allow: PermissionCode
  /** Makes the change. The caller has checked that all needed fields are present. */
  make: (ctx: UncheckedCtx, change: CompleteChange) => Promise<unknown>
}

interface Kind extends Endpoint {
  needs: Exclude<keyof Change, 'kind' | 'expires_at'>[]
}

const kinds: Record<Change['kind'], Kind> = {
  replace_permissions: {
    allow: 'role:update',
    needs: ['role_id', 'permission_ids'],
    make: (ctx, { role_id, permission_ids }) => replaceRolePermissions(ctx, role_id, permission_ids),
  },
  assign_role: {
    allow: 'role:assign',
    needs: ['user_id', 'role_id'],
    make: (ctx, { user_id, role_id, expires_at }) => assignRole(ctx, user_id, { role_id, expires_at }),
  },
  unassign_role: {
    allow: 'role:assign',
    needs: ['user_id', 'role_id'],
    make: (ctx, { user_id, role_id }) => unassignRole(ctx, user_id, role_id),
  },
  delete_role: {
    allow: 'role:delete',
    needs: ['role_id'],
    make: (ctx, { role_id }) => deleteRole(ctx, role_id),
  },
  set_user_status: {
    allow: 'user:update',
    needs: ['user_id', 'status'],
    make: (ctx, { user_id, status }) => updateUser(ctx, user_id, { status }),
  },
}

/** The endpoints that change templates. Their transactions run in the built-in tenant. */
const kindsOfTemplates: Partial<Record<Change['kind'], Endpoint>> = {
  replace_permissions: {
    allow: 'catalogue:manage',
    make: (ctx, { role_id, permission_ids }) =>
      inTenantWithin(ctx, builtInTenant.id, (ctx) => updateTemplate(ctx, role_id, { permission_ids })),
  },
  delete_role: {
    allow: 'catalogue:manage',
    make: (ctx, { role_id }) => inTenantWithin(ctx, builtInTenant.id, (ctx) => deleteTemplate(ctx, role_id)),
  },
}

/**
 * The catalogue's endpoint for a template. Undefined for callers without `catalogue:manage`, because they cannot change
 * a template.
 */
const templateEndpoint = ({ actor }: Ctx, { kind, role_id = Infinity }: Change): Endpoint | undefined =>
  role_id <= builtInIdMax && isAllowed(actor, 'catalogue:manage') ? kindsOfTemplates[kind] : undefined

/** The time limit, because a preview holds the authority lock of its tenant, or that of the installation. */
const previewMs = 2_000

/**
 * Callers with a running preview in this process. A second preview of such a caller is refused without waiting for a
 * connection.
 */
export type RunningPreviews = Set<string>

/**
 * Returns the users who would gain or lose permissions by the changes, or the first refused change. Makes the changes
 * and rolls them back. Throws 429 while another preview of the caller runs, and 503 after 2 seconds.
 */
export const previewChanges = async (
  ctx: Ctx,
  changes: Change[],
  running: RunningPreviews,
): Promise<Preview> => {
  requireComplete(changes)
  const caller = callerKey(ctx)
  if (running.has(caller)) throw anotherRuns()
  running.add(caller)
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(tookTooLong()), previewMs)
  const rehearsal = rehearse(ctx, (ctx) => Promise.race([late.promise, preview(ctx, changes)])).finally(
    () => {
      clearTimeout(timer)
      running.delete(caller)
    },
  )
  // The inner race ends the transaction. This race ends the wait for a connection or a statement.
  return Promise.race([late.promise, rehearsal])
}

const callerKey = ({ actor }: Ctx): string => `${actor.tenantId} ${actor.userId}`

const anotherRuns = () =>
  new AppError('tooManyRequests', 'Another preview of yours is running. Wait for its answer', {
    retryAfterSeconds: 1,
  })

const tookTooLong = () =>
  new AppError('overloaded', 'The preview takes longer than 2 seconds. Preview fewer changes at once', {
    retryAfterSeconds: 1,
  })

const requireComplete = (changes: Change[]): void => {
  for (const [index, change] of changes.entries()) {
    const missing = kinds[change.kind].needs.find((name) => change[name] === undefined)
    if (missing !== undefined) throw invalid(`changes.${index}.${missing}`, 'is required')
  }
}

const preview = async (ctx: UncheckedCtx, changes: Change[]): Promise<Preview> => {
  if (!(await lockTurn(ctx.db, callerKey(ctx)))?.is_free) throw anotherRuns()
  // Takes the catalogue's exclusive lock first, because the authority lock below would take it as a shared lock.
  if (changes.some((change) => templateEndpoint(ctx, change))) lockOutAuthority(ctx.db)
  // Declares the cursor behind the authority lock, so that no other change commits between the cursor and these
  // changes.
  await declareEffects(ctx, concernedBy(changes))
  for (const [index, change] of changes.entries()) {
    const error = await findRefusal(ctx, change)
    if (error) return { gains: [], losses: [], affected_users: 0, refused: { index, error } }
  }
  return { ...(await readEffects(ctx.db, ctx.tenantId)), refused: null }
}

/** Remembers what the users hold until the transaction ends, for `readEffects`. */
export const declareEffects = (
  ctx: Ctx,
  concerned: { roleIds: number[]; userIds: number[] },
): Promise<undefined> =>
  changingAuthority(
    ctx,
    async ({ db, tenantId }) => declareAffected(db, tenantId, concerned),
    async () => undefined,
  )

/** The roles and users that the changes name. Permissions change only for these users and the roles' holders. */
const concernedBy = (changes: Change[]) => {
  const namesUser = ({ kind }: Change) => kinds[kind].needs.includes('user_id')
  return {
    roleIds: changes.flatMap((one) => (namesUser(one) ? [] : (one.role_id ?? []))),
    userIds: changes.flatMap((one) => (namesUser(one) ? (one.user_id ?? []) : [])),
  }
}

/** Makes a change as its own request would. Returns the error that refuses it. */
const findRefusal = async (ctx: UncheckedCtx, change: Change) => {
  const { allow, make } = templateEndpoint(ctx, change) ?? kinds[change.kind]
  try {
    requireAllowed(ctx.actor, allow)
    await make({ ...ctx, allow }, change as CompleteChange)
    return undefined
  } catch (err) {
    if (!(err instanceof AppError)) throw err
    return { code: err.code, message: err.message }
  }
}

/** The most users that an answer names on each side. */
const namedMax = 200

export type Effects = Omit<Preview, 'refused'>

/** Compares the permissions before the changes, which the cursor shows, with those after. */
export const readEffects = async (db: TransactionDb, tenantId: string): Promise<Effects> => {
  const effects: Effects = { gains: [], losses: [], affected_users: 0 }
  for (;;) {
    const before = await fetchAffected(db)
    if (before.length === 0) return effects
    const now = await selectEffectivePermissions(
      db,
      tenantId,
      before.map(({ user_id }) => user_id),
    )
    const codes = new Map(now.map((user) => [user.user_id, user.codes]))
    for (const user of before) note(effects, user, codes.get(user.user_id) ?? [])
    if (effects.affected_users > totalMax) return { ...effects, affected_users: totalMax }
  }
}

const note = (
  effects: Effects,
  { user_id, username, codes: before }: EffectivePermissions,
  after: string[],
): void => {
  const [gained, lost] = [without(after, before), without(before, after)]
  if (gained.length + lost.length > 0) effects.affected_users += 1
  if (gained.length > 0 && effects.gains.length < namedMax) {
    effects.gains.push({ user_id, username, permissions: gained })
  }
  if (lost.length > 0 && effects.losses.length < namedMax) {
    effects.losses.push({ user_id, username, permissions: lost })
  }
}

const without = (codes: string[], others: string[]): string[] => {
  const left = new Set(others)
  return codes.filter((code) => !left.has(code)).toSorted()
}

/** Setup links, by which a person without an account sets up sign-in for a tenant. */
import { randomUUID } from 'node:crypto'
import type { AuthorityCtx } from '../../../access/authority.ts'
import type { Ctx } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { newTenantToken } from '../../../crypto/tenant-tokens.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { changesBetween, record } from '../../audit/audit/audit.service.ts'
import { countMail, queueSetupLink, requireMail } from '../../accounts/mail/mail.service.ts'
import { requireRole } from '../sso/connection-references.service.ts'
import type { Connection } from '../sso/connections.schemas.ts'
import { listConnections } from '../sso/connections.service.ts'
import { givesAtMost } from '../sso/guests.service.ts'
import { notifyManagers } from '../sso/managers.service.ts'
import { effectOfRoles } from '../sso/mapping-effects.service.ts'
import { changingSignIn } from '../sso/rank.service.ts'
import type { CreateSetupLink, SetupLink } from './setup.schemas.ts'
import * as store from './setup.store.ts'

/** docs/contract.md, "Enterprise sign-in". */
const openMax = 10
const listedMax = 100
const hourMs = 3_600_000
/** Of a tenant, within an hour, to all addresses. */
const sentMax = 20

/** The open links of the tenant in scope, and the last ones that ended. */
export const listSetupLinks = ({ db, tenantId, parts }: Ctx): Promise<SetupLink[]> =>
  store.selectLinks(db, tenantId, parts.now(), listedMax)

const requireRoom = async ({ db, tenantId, parts }: AuthorityCtx): Promise<void> => {
  if ((await store.countOpen(db, tenantId, parts.now())).count < openMax) return
  throw new AppError('setupLinksFull', `A tenant has at most ${openMax} open setup links. Revoke one first`)
}

/** The reason why guests of a new link may not have this draft. Undefined for none. */
const faultOfDraft = async (
  { db, tenantId, parts }: AuthorityCtx,
  draft: Connection | undefined,
  roleIds: number[],
): Promise<string | undefined> => {
  if (draft?.status !== 'draft') return 'is no draft of this tenant'
  if (draft.scim_account_id !== null || !givesAtMost(roleIds, draft)) {
    return 'has a directory, trusts a second factor, or gives roles beyond role_ids'
  }
  const isNamed = await store.isNamed(db, tenantId, draft.id, parts.now())
  return isNamed ? 'belongs to another open link' : undefined
}

/** Throws 400 for a draft that guests of the link may not have, and for a link that opens nothing. */
const requireDraft = async (ctx: AuthorityCtx, input: CreateSetupLink): Promise<void> => {
  const { parts, connection_id: wanted, role_ids: roleIds = [] } = input
  if (typeof wanted === 'string') {
    const draft = (await listConnections(ctx)).find(({ id }) => id === wanted.toLowerCase())
    const fault = await faultOfDraft(ctx, draft, roleIds)
    if (fault !== undefined) throw invalid('connection_id', fault)
  } else if (parts.includes('directory') && !parts.includes('connection')) {
    throw invalid('connection_id', 'must name a draft: the guest may create none')
  }
}

const requireMailRoom = async (ctx: AuthorityCtx, email: string): Promise<void> => {
  const { count } = await store.countSince(ctx.db, ctx.tenantId, new Date(ctx.parts.now().getTime() - hourMs))
  if (count < sentMax && (await countMail(ctx, 'setup', email))) return
  throw new AppError(
    'tooManyRequests',
    `This address got 5 setup links within an hour, or the tenant sent ${sentMax}. Try again later`,
    { retryAfterSeconds: hourMs / 1000 },
  )
}

const newLink = (ctx: AuthorityCtx, input: CreateSetupLink): store.NewSetupLink & { token: string } => {
  const { actor, tenantId, parts } = ctx
  const token = newTenantToken(tenantId)
  const now = parts.now()
  return {
    tenantId,
    id: randomUUID(),
    email: input.email,
    token,
    tokenHash: sha256(token),
    parts: input.parts,
    connectionId: input.connection_id ?? null,
    roleIds: input.role_ids ?? [],
    mayActivate: input.may_activate ?? false,
    makerTenantId: actor.tenantId,
    createdBy: actor.userId,
    now,
    expiresAt: new Date(now.getTime() + (input.expires_in_hours ?? 72) * hourMs),
  }
}

/**
 * Mails a setup link, which no answer shows. Throws 400 for an unknown draft or role, and beyond 10 open
 * links. Throws 403 without rank, 429 beyond the limit of e-mails, and 503 without mail.
 */
export const createSetupLink = async (ctx: Ctx, input: CreateSetupLink): Promise<SetupLink> => {
  requireMail(ctx)
  return changingSignIn(ctx, async (ctx) => {
    await requireRoom(ctx)
    await requireDraft(ctx, input)
    for (const [index, id] of (input.role_ids ?? []).entries()) {
      await requireRole(ctx, `role_ids.${index}`, id)
    }
    await requireMailRoom(ctx, input.email)
    const { token, ...row } = newLink(ctx, input)
    const link = await store.insertLink(ctx.db, row)
    const { email, expiresAt, id: setupLinkId } = row
    const { name: tenant } = await store.selectTenantName(ctx.db, ctx.tenantId)
    queueSetupLink(ctx, { setupLinkId, email, token, tenant, expiresAt })
    const { parts, connection_id, role_ids, may_activate, expires_at } = link
    const detail = changesBetween({}, { email, parts, connection_id, role_ids, may_activate, expires_at })
    const effect = await effectOfRoles(ctx, row.roleIds)
    record(ctx, { action: 'setup_link.create', resourceId: setupLinkId, detail, effect })
    await notifyManagers(ctx, 'setupLinkSent', { email })
    return link
  })
}

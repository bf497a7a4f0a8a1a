/** The way of a guest from a mailed setup link to a token. */
import { readGuest, isMakerRanked } from '../../../access/guests.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { inTenant, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { guestStart, newTenantToken, readTenantToken } from '../../../crypto/tenant-tokens.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import { countingGuesses } from '../../accounts/accounts/guessing.service.ts'
import { createCode, findCode, giveCode } from '../../accounts/email-codes/email-codes.service.ts'
import { linkDead } from '../../accounts/mail/links.service.ts'
import { countSource, requireMail } from '../../accounts/mail/mail.service.ts'
import { listRoles } from '../../accounts/roles/roles.service.ts'
import { emailCodeWrong } from '../../sign-in/auth/email-code.service.ts'
import type { EmailCodeChallenge, EnterSetup, OpenSetup, SetupGuest } from './setup.schemas.ts'
import * as store from './setup.store.ts'

const guestMs = 60 * 60_000

type FoundLink = store.LinkRow & { tenantId: string }

const makerOf = (link: store.LinkRow) => ({ tenantId: link.maker_tenant_id, userId: link.created_by })

/** The living link of a token. Throws 400 for every other token alike. */
const getLink = async ({ parts }: Ctx, token: string): Promise<FoundLink> => {
  const read = readTenantToken(token)
  if (!read) throw linkDead()
  const { tenantId, tokenHash } = read
  const link = await parts.store.transaction({ tenantId }, async (db) => {
    const row = await store.selectLinkOfToken(db, tenantId, tokenHash, parts.now())
    return row?.is_living && (await isMakerRanked(db, tenantId, makerOf(row))) ? row : undefined
  })
  if (!link) throw linkDead()
  return { ...link, tenantId }
}

/**
 * Mails a code to the address of the link, with or without an account. Throws 400 for a dead link, and 429 after too
 * many wrong codes.
 */
export const openSetup = async (ctx: Ctx, { token }: OpenSetup): Promise<EmailCodeChallenge> => {
  requireMail(ctx)
  await countSource(ctx)
  const { id, email, tenant_name: tenant } = await getLink(ctx, token)
  const wanted = { email, askedTenant: null, setupLink: { id, tenant }, isOffered: false }
  return inTransaction(inTenant(ctx, builtInTenant.id), async (ctx) => ({
    challenge: await createCode(ctx, wanted),
  }))
}

/**
 * Lets the holder of link and code in as a guest. Throws 400 for a dead link, and 401 for a code that is wrong, late,
 * used, or of another link.
 */
export const enterSetup = async (ctx: Ctx, input: EnterSetup): Promise<SetupGuest> => {
  await countSource(ctx)
  const link = await getLink(ctx, input.token)
  const found = await findCode(ctx, input.challenge, link.id)
  if (!found) throw emailCodeWrong()
  let guest: SetupGuest | 'wrong' | 'dead' = 'dead'
  await countingGuesses(ctx, found.email_folded, async () => {
    guest = await inTransaction(inTenant(ctx, link.tenantId), async (ctx) => {
      const result = await giveCode(ctx, { ...input, emailFolded: found.email_folded })
      return result === 'right' ? letIn(ctx, link) : result
    })
    return guest !== 'wrong'
  })
  return requireIn(guest)
}

const requireIn = (guest: SetupGuest | 'wrong' | 'dead'): SetupGuest => {
  if (typeof guest === 'string') throw emailCodeWrong()
  return guest
}

const letIn = async (ctx: TransactionCtx, link: FoundLink): Promise<SetupGuest> => {
  const { db, tenantId, parts } = ctx
  const now = parts.now()
  const token = `${guestStart}${newTenantToken(tenantId)}`
  const tokenHash = sha256(token.slice(guestStart.length))
  const expiresAt = new Date(now.getTime() + guestMs)
  store.insertGuest(db, tenantId, { tokenHash, linkId: link.id, now, expiresAt })
  const credential = { kind: 'guest', id: tokenHash.toString('hex') } as const
  const actor = await readGuest(db, { tenantId, userId: 0, credential }, makerOf(link), now)
  if (!actor?.guest) throw linkDead()
  record(
    { ...ctx, actor },
    {
      action: 'setup_link.open',
      resourceId: link.id,
      detail: naming({ email: link.email }),
    },
  )
  const { email, parts: opened, connectionId, roleIds, mayActivate } = actor.guest
  const roles = (await listRoles(ctx, {})).filter(({ id }) => roleIds.includes(id))
  return {
    token,
    expires_at: expiresAt.toISOString(),
    email,
    tenant: { id: tenantId, name: link.tenant_name },
    parts: [...opened],
    connection_id: connectionId ?? null,
    new_connection_id: link.id,
    roles: roles.map(({ id, name }) => ({ id, name })),
    may_activate: mayActivate,
  }
}

/** Tenants that people create for themselves. */
import { adminTemplate } from '../../../access/built-in-templates.ts'
import { selectTenantInScope } from '../../../access/tenancy.store.ts'
import { inTenantWithin, type TransactionCtx } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../errors/app-error.ts'
import { naming, recordAs } from '../../audit/audit/audit.service.ts'
import type { JoiningAccount } from '../../sign-in/auth/invited-account.service.ts'
import { listGivenRoles } from '../invitations/invitations.service.ts'
import { addTenant } from '../tenants/tenants.service.ts'
import { addMember, defaultRole } from '../../accounts/users/members.service.ts'
import { requireFreeSlug, slugsFor } from './names.ts'
import * as store from './sign-up.store.ts'

const hourSeconds = 3600

/** The first free slug for the name of an organization. */
export const findSlug = async (db: Db, organization: string): Promise<string> => {
  const slugs = slugsFor(organization)
  const taken = new Set((await store.selectTakenSlugs(db, slugs)).map(({ slug }) => slug))
  const free = slugs.find((slug) => !taken.has(slug))
  if (free === undefined) {
    throw new AppError('slugTaken', 'Choose a slug: those that the name gives are taken')
  }
  return free
}

/**
 * Waits for other creations of organizations, and blocks later ones until the transaction ends. Throws 429 beyond the
 * limit per hour. Call it before an account is locked.
 */
export const beginFounding = async ({ db, parts }: TransactionCtx): Promise<void> => {
  const now = parts.now()
  store.lockFoundings(db)
  const { count, first } = await store.selectFoundings(db, now)
  if (count < parts.config.signUpsPerHour) return
  const passedSeconds = (now.getTime() - (first?.getTime() ?? 0)) / 1000
  throw new AppError('tooManyRequests', 'Many organizations were created within an hour. Try again later', {
    retryAfterSeconds: Math.max(1, Math.ceil(hourSeconds - passedSeconds)),
  })
}

/** Throws 403 if the locked account has reached the limit of existing tenants that it created. */
export const requireRoomForFounder = async (
  { db, parts }: TransactionCtx,
  accountId: number,
): Promise<void> => {
  const max = parts.config.organizationsPerPerson
  const { count } = await store.countFoundedBy(db, accountId)
  if (count >= max) {
    throw new AppError(
      'organizationsFull',
      `You have created ${count} organizations, and one person may have ${max}. Ask a platform administrator to delete one`,
    )
  }
}

export interface NewOrganization {
  organization: string
  /** The slug; undefined derives it from the name. */
  slug: string | undefined
  account: JoiningAccount
  username: string
  nickname: string
}

/**
 * Creates a tenant in a transaction of the built-in tenant. The person of a locked account becomes its administrator.
 * `open` runs in the scope of the new tenant; its result decides whether the person is signed in. Throws 409 for a
 * taken slug.
 */
export const foundTenant = async <T extends object>(
  ctx: TransactionCtx,
  { organization, slug, account, username, nickname }: NewOrganization,
  open: (ctx: TransactionCtx, userId: number) => Promise<T>,
): Promise<T> => {
  requireFreeSlug(slug)
  const { accountId } = account
  const named = { name: organization, slug: slug ?? (await findSlug(ctx.db, organization)) }
  const { id } = await addTenant(ctx, named, { accountId, source: 'sign_up' })
  return inTenantWithin(ctx, id, async (within) => {
    const tenant = await selectTenantInScope(within.db, id)
    if (!tenant) throw new Error('a new tenant was not found')
    const roles = await listGivenRoles(within, [adminTemplate.id])
    const member = { ...account, username, nickname }
    const user = await addMember(within, member, roles.map(defaultRole))
    const opened = await open({ ...within, tenant }, user.id)
    if (!('challenge' in opened)) {
      const detail = naming({ username })
      recordAs(within, { userId: user.id, username }, { action: 'auth.login', resourceId: user.id, detail })
    }
    return opened
  })
}

import type { Ctx, TransactionCtx } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { LinkKind } from '../../../mail/kinds.ts'
import { fold } from '../../../values/text.ts'
import * as store from './links.store.ts'

export const linkDead = () => new AppError('linkDead', 'This link does not work any more. Ask for a new one')

/** A link that is valid: neither spent nor expired. */
export interface Link {
  /** 0 for the address of a person without an account. */
  accountId: number
  kind: LinkKind
  /** The address that the link was mailed to. */
  email: string
  /** The application whose sign-in requested the link, if any. */
  applicationId: number | undefined
}

const linkOf = (
  row: store.LinkRow | undefined,
  kinds: LinkKind[],
  interactionId: string | undefined,
): Link => {
  const kind = kinds.find((one) => one === row?.kind)
  if (!row || !kind || (row.interaction_id ?? undefined) !== interactionId) throw linkDead()
  return {
    accountId: row.account_id ?? 0,
    kind,
    email: row.email,
    applicationId: row.application_id ?? undefined,
  }
}

/**
 * Reads the link of a token without spending it. Throws 400 for a spent or expired link, for another kind of link, and
 * for another interaction's link.
 */
export const getLink = async (
  { db, parts }: Ctx,
  token: string,
  kinds: LinkKind[],
  interactionId?: string,
): Promise<Link> => linkOf(await store.selectLink(db, sha256(token), parts.now()), kinds, interactionId)

/**
 * Spends the link of a token for an account whose row is locked. Throws 400 for a spent or expired link, and for
 * another account's link. Also throws 400 if the link was mailed to an earlier address, except for a link that changes
 * the address.
 */
export const spendLink = async (
  ctx: TransactionCtx,
  token: string,
  {
    kinds,
    account,
    interactionId,
  }: { kinds: LinkKind[]; account: { id: number; email: string }; interactionId?: string },
): Promise<Link> => {
  const link = linkOf(await store.deleteLink(ctx.db, sha256(token), ctx.parts.now()), kinds, interactionId)
  const isMailedThere = link.kind === 'change' || fold(link.email) === fold(account.email)
  if (link.accountId !== account.id || !isMailedThere) throw linkDead()
  return link
}

/** Revokes links of an account, and removes their e-mails from the queue. */
export const revokeLinks = (
  ctx: TransactionCtx,
  accountId: number,
  kinds: LinkKind[] = ['reset', 'verification', 'change', 'proof'],
): void => store.deleteLinksOfAccount(ctx.db, accountId, kinds)

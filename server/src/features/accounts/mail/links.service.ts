import type { Ctx, TransactionCtx } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { LinkKind } from '../../../mail/kinds.ts'
import { fold } from '../../../values/text.ts'
import * as store from './links.store.ts'

export const linkDead = () => new AppError('linkDead', 'This link does not work any more. Ask for a new one')

/** A living link. */
export interface Link {
  accountId: number
  kind: LinkKind
  /** The address that the link was mailed to. */
  email: string
  /** Of the application whose sign-in it began at; undefined for none. */
  applicationId: number | undefined
}

const linkOf = (
  row: store.LinkRow | undefined,
  kinds: LinkKind[],
  interactionId: string | undefined,
): Link => {
  const kind = kinds.find((one) => one === row?.kind)
  if (!row || !kind || (row.interaction_id ?? undefined) !== interactionId) throw linkDead()
  return { accountId: row.account_id, kind, email: row.email, applicationId: row.application_id ?? undefined }
}

/**
 * The link of a token, unspent. Throws 400 unless it lives, is of one of the kinds, and counts in the interaction, or anywhere
 * without one.
 */
export const getLink = async (
  { db, parts }: Ctx,
  token: string,
  kinds: LinkKind[],
  interactionId?: string,
): Promise<Link> => linkOf(await store.selectLink(db, sha256(token), parts.now()), kinds, interactionId)

/**
 * Spends the link of a token for an account whose row is locked. Throws 400 unless it lives, belongs to the account, and
 * was mailed to its present address; the link to another address is excepted from that.
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

/** Revokes links of an account. E-mails with them that still wait are not sent. */
export const revokeLinks = (
  ctx: TransactionCtx,
  accountId: number,
  kinds: LinkKind[] = ['reset', 'verification', 'change', 'proof'],
): void => store.deleteLinksOfAccount(ctx.db, accountId, kinds)

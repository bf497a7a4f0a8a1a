/** A provider's person who proves an account before the provider may open it. */
import { changingAuthority, type AuthorityCtx } from '../../../access/authority.ts'
import { inTenant, type Ctx, type TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import {
  addIdentity,
  noteOwner,
  useIdentity,
  type ProviderPerson,
} from '../../accounts/identities/identities.service.ts'
import { identityOf } from '../../../values/proofs.ts'
import { findUserToSignIn } from '../../accounts/accounts/credentials.service.ts'
import { spendLink } from '../../accounts/mail/links.service.ts'
import type { Open, Proved } from '../../sign-in/auth/sign-in.service.ts'
import type { AccountProof } from './linking.service.ts'
import { registerPerson } from './registration.service.ts'
import type { AccountToProve } from './resolve.service.ts'

/** The person of a provider whose address belongs, or seems to belong, to an account. */
export interface FederatedPerson extends ProviderPerson {
  /** The built-in tenant: an account has no tenant before its person has chosen one. */
  tenantId: string
  /** The address as the provider names it. */
  email: string
  /** Whether the provider proves the address. Any other address counts as typed. */
  isProved: boolean
  /** The name as the provider names it; "" if it names none. */
  name: string
}

export interface FederatedSignIn {
  brought: FederatedPerson
  /** `accountId` is 0 for an address without an account. */
  account: AccountToProve
}

const proofDead = () =>
  new AppError('stepWrong', 'The account was changed meanwhile. Begin the sign-in again')

/** Adds the identity to a new account, and opens by it. */
export const openAsNew =
  <T>(
    person: ProviderPerson,
    open: (ctx: TransactionCtx, proved: Pick<Proved, 'account' | 'amr'>) => Promise<T>,
  ): Open<T> =>
  async (ctx, { account }) => {
    const proof = await addIdentity(ctx, account, person)
    await useIdentity(ctx, account.id, identityOf([proof]) ?? '')
    return open(ctx, { account, amr: [proof] })
  }

/** Registers the person whose address a mailed link has proved. Throws 400 for a spent link. */
export const registerProved = <T>(
  ctx: Ctx,
  brought: FederatedPerson,
  { token, interactionId }: { token: string; interactionId: string },
  open: (ctx: TransactionCtx, proved: Pick<Proved, 'account' | 'amr'>) => Promise<T>,
): Promise<T> =>
  registerPerson(ctx, brought, openAsNew(brought, open), async (ctx) => {
    const account = { id: 0, email: brought.email }
    await spendLink(ctx, token, { kinds: ['proof'], account, interactionId })
  })

/**
 * Adds the identity to the account that its person has proved, and opens. Throws 400 if the proof does not suffice or is
 * spent.
 */
export const addProvedIdentity = async <T>(
  ctx: Ctx,
  { brought, account }: FederatedSignIn,
  proof: AccountProof,
  open: (
    ctx: AuthorityCtx,
    proved: { account: { id: number; email: string }; amr: readonly string[] },
  ) => Promise<T>,
): Promise<T> => {
  const user = await findUserToSignIn(ctx, account.accountId)
  if (!user) throw proofDead()
  return changingAuthority(
    inTenant(ctx, user.tenant_id),
    async () => undefined,
    async (ctx) => {
      const isEnough = proof.kind === 'link' || !account.isUnowned
      if (!isEnough || !(await proof.consume(ctx, account))) throw proofDead()
      const { accountId: id, email } = account
      if (account.isUnowned) noteOwner(ctx, id)
      const added = await addIdentity(ctx, { id, email }, brought)
      await useIdentity(ctx, id, identityOf([added]) ?? '')
      return open(ctx, { account: { id, email }, amr: [added, ...proof.amr] })
    },
  )
}

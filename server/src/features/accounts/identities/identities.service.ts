/** The identities of an account: the persons of providers who open it. */
import { randomUUID } from 'node:crypto'
import { wayOf } from '../../../access/actor.ts'
import type { Ctx, TransactionCtx } from '../../../context.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { AppError } from '../../../errors/app-error.ts'
import { federatedProof, identityOf } from '../../../values/proofs.ts'
import { changesBetween } from '../../audit/audit/audit.service.ts'
import { recordForAccount } from '../accounts/accounts.service.ts'
import { queueNotice } from '../mail/mail.service.ts'
import type { Identity } from './identities.schemas.ts'
import * as store from './identities.store.ts'

/** docs/contract.md, "Providers". */
const identitiesMax = 10

/** A person at a provider, after the provider's answer was accepted. */
export interface ProviderPerson {
  provider: { id: string; slug: string; name: string }
  /** The person's permanent id at the provider. */
  subject: string
  /** The address or login, for the account's person. */
  label: string
}

export const listIdentitiesOfAccount = async (
  { db }: Pick<Ctx, 'db'>,
  accountId: number,
): Promise<Identity[]> =>
  (await store.selectIdentities(db, accountId)).map(({ slug, name, kind, ...row }) => ({
    ...row,
    provider: { slug, name, kind },
  }))

/** The account that a provider's person opens. */
export const findBySubject = ({ db }: Pick<Ctx, 'db'>, { provider, subject }: ProviderPerson) =>
  store.selectBySubject(db, provider.id, subject)

export const findAddressed = ({ db }: Pick<Ctx, 'db'>, email: string) => store.selectAddressed(db, email)

export const noteOwner = ({ db }: TransactionCtx, accountId: number): void => store.updateOwned(db, accountId)

/** A refusal without a reason. */
export const providerRefused = () =>
  new AppError('providerRefused', 'This sign-in was refused. Choose another way')

const taken = (err: unknown): never => {
  throw violatesUnique(err, 'identities_subject_key') ? providerRefused() : err
}

/**
 * Adds an identity to an account whose row is locked, and returns its proof. The person is told by mail. Throws 403 for
 * a subject of another account and for a provider that is not active, and 400 for too many identities.
 */
export const addIdentity = async (
  ctx: TransactionCtx,
  account: { id: number; email: string },
  { provider, subject, label }: ProviderPerson,
) => {
  const there = await store.selectIdentities(ctx.db, account.id)
  if (there.length >= identitiesMax) {
    throw new AppError(
      'identitiesFull',
      `An account has at most ${identitiesMax} identities. Remove one first`,
    )
  }
  const id = randomUUID()
  const row = { id, accountId: account.id, providerId: provider.id, subject, label, now: ctx.parts.now() }
  if ((await store.insertIdentity(ctx.db, row).catch(taken)) === 0) {
    throw new AppError('providerRefused', 'This provider has just been closed. Choose another way')
  }
  queueNotice(
    ctx,
    'identity_added',
    { accountId: account.id, email: account.email },
    { provider: provider.name },
  )
  const detail = changesBetween({}, { provider: provider.slug, label })
  await recordForAccount(ctx, account.id, { action: 'identity.add', detail })
  return federatedProof(id)
}

/** Adds an identity to a locked account. Throws as `addIdentity` does. */
export const addIdentityTo = async (
  ctx: TransactionCtx,
  accountId: number,
  person: ProviderPerson,
): Promise<void> => {
  const account = await store.selectAccount(ctx.db, accountId)
  if (account) await addIdentity(ctx, account, person)
}

/** Stores a use of an identity of a locked account. False if the identity or its provider has ended. */
export const useIdentity = async (ctx: TransactionCtx, accountId: number, id: string): Promise<boolean> =>
  (await store.updateUsed(ctx.db, { id, accountId, now: ctx.parts.now() })) === 1

/** Removes all identities of a locked account. The caller ends its sessions. */
export const deleteIdentities = ({ db }: TransactionCtx, accountId: number): void =>
  store.deleteIdentitiesOfAccount(db, accountId)

/** The way of a sign-in, for records: `provider:<slug>` for an identity. */
export const nameWay = async ({ db }: Pick<Ctx, 'db'>, amr: readonly string[]): Promise<string> => {
  const id = identityOf(amr)
  const found = id === undefined ? undefined : await store.selectSlug(db, id)
  return found ? `provider:${found.slug}` : wayOf(amr)
}

import type { Ctx } from '../../../context.ts'
import { tokenInvalid } from '../../../context.ts'
import { changingIdentities } from '../../accounts/identities/own-identities.service.ts'
import { createTicket, findAttemptProvider } from './attempts.service.ts'
import { providerUnknown } from './providers.service.ts'
import type { AddIdentity } from './providers.schemas.ts'
import { isOpen } from './start.service.ts'

/** Creates the address that adds an identity, once, for the caller's session in the browser of the cookie. */
export const beginAddition = (
  ctx: Ctx,
  { provider: slug, ...proof }: AddIdentity,
  cookie: string | undefined,
): Promise<{ url: string; browser: string }> =>
  changingIdentities(ctx, proof, async (ctx, account) => {
    const provider = await findAttemptProvider(ctx, slug)
    if (!provider || !(await isOpen(ctx, provider))) throw providerUnknown()
    const { credential } = ctx.actor
    if (!credential) throw tokenInvalid()
    const purpose = { purpose: 'add', account_id: account.id, session_id: credential.id } as const
    return createTicket(ctx, provider, { cookie, purpose })
  })

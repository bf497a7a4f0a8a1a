import type { Ctx } from '../../../context.ts'
import type { OidcReason } from '../../../protocols/oidc/code-flow.ts'
import type { Admission } from './admission.service.ts'
import { createTicket } from './attempts.service.ts'
import { notifyProviderManagers } from './managers.service.ts'
import { changingProviders, findProvider } from './providers.service.ts'

/** Creates the address of a test, which works once in the browser of the cookie. */
export const beginProviderTest = (
  ctx: Ctx,
  id: string,
  cookie: string | undefined,
): Promise<{ url: string; browser: string }> =>
  changingProviders(ctx, async (ctx) => {
    const provider = await findProvider(ctx, id)
    await notifyProviderManagers(ctx, 'tested', provider)
    const purpose = { purpose: 'test', account_id: null, session_id: null } as const
    return createTicket(ctx, provider, { cookie, purpose })
  })

/** The page of the console that shows the result of a test: the decision about the person, or a refusal. */
export const testPageOf = ({ id }: { id: string }, result: Admission['kind'] | OidcReason): string =>
  `/console/providers/${id}?test=${result === 'register' || result === 'sign_up' ? 'new' : result}`

/** Checks the redirect address of a request against its client. */
import type { Ctx } from '../../../../context.ts'
import type { Client } from '../../applications/clients.service.ts'
import { isKnown, resolveClient, isAllowedRedirect } from '../../applications/documents.service.ts'
import { isRedirectOf } from './request-parameters.ts'
import type { SignIn } from '../browser/sign-ins.service.ts'

export interface ClientAtRedirect {
  client: Client
  redirectUri: string
}

/**
 * The client, if the redirect address is its own. A client whose id is a document's address stays unknown until a
 * person has signed in. Until then any valid address passes: no response goes there before the sign-in.
 */
export const findClientAtRedirect = async (
  ctx: Ctx,
  { client: requested, redirectUri }: ClientAtRedirect,
  signIn: SignIn | undefined,
): Promise<ClientAtRedirect | undefined> => {
  const client = signIn ? await resolveClient(ctx, requested, signIn.accountId) : requested
  if (signIn && !isKnown(client)) return undefined
  const isOwn = isKnown(client) ? isRedirectOf(client, redirectUri) : isAllowedRedirect(redirectUri)
  return client.status === 1 && isOwn ? { client, redirectUri } : undefined
}

/** The client that a request names, at the redirect address of the request. */
import type { Ctx } from '../../../../context.ts'
import type { Client } from '../../applications/clients.service.ts'
import { isKnown, knowClient, mayHaveAddress } from '../../applications/documents.service.ts'
import { isRedirectOf } from './request-parameters.ts'
import type { SignIn } from '../browser/sign-ins.service.ts'

/** The client that a request names, and where the answer is to go. */
export interface ClientAtRedirect {
  client: Client
  redirectUri: string
}

/** A client without a person stays unknown: then no answer goes to it, and the address may be any that such a client can have. */
export const findClientAtRedirect = async (
  ctx: Ctx,
  { client: named, redirectUri }: ClientAtRedirect,
  signIn: SignIn | undefined,
): Promise<ClientAtRedirect | undefined> => {
  const client = signIn ? await knowClient(ctx, named, signIn.accountId) : named
  if (signIn && !isKnown(client)) return undefined
  const isOwn = isKnown(client) ? isRedirectOf(client, redirectUri) : mayHaveAddress(redirectUri)
  return client.status === 1 && isOwn ? { client, redirectUri } : undefined
}

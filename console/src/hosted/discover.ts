/** The connection that leads people with an address to the provider of their organization. */
import type { Discovered } from '@tenantry/client'
import { send } from './send.ts'

export type FoundConnection = NonNullable<Discovered['connection']>

/** The newest answer: a step that follows needs it at once. */
let newest: { email: string; found: FoundConnection | undefined } | undefined

/** Goes by the domain alone. Without an answer there is none, and the other ways stay. */
export const discover = async (email: string): Promise<FoundConnection | undefined> => {
  const answer = await send<Discovered>('POST', '/api/v1/auth/discover', { email }).catch(() => undefined)
  newest = { email, found: answer?.connection ?? undefined }
  return newest.found
}

/** The answer for this address, if it was the last one that was asked for. */
export const lastDiscovered = (email: string) => (newest?.email === email ? newest : undefined)

/** Where the way to the provider begins. The interaction knows the typed address. */
export const startOf = ({ id }: FoundConnection, interaction: string): string =>
  `/sso/start?connection=${id}&interaction=${interaction}`

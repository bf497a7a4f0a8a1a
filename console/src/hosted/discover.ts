/** The connection that leads people with an address to the provider of their organization. */
import { send } from './send.ts'

export interface FoundConnection {
  id: string
  name: string
  tenant: { id: string; name: string }
}

interface Discovered {
  connection: FoundConnection | null
}

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

/** Where the way to the provider begins; without an interaction, that of the console. */
export const startOf = ({ id }: FoundConnection, interaction?: string): string => {
  const query = new URLSearchParams({ connection: id, ...(interaction !== undefined && { interaction }) })
  return `/sso/start?${query.toString()}`
}

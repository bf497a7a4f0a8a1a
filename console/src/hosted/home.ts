/** The application that a sign-in belongs to, for a page that is opened again when the sign-in is over. */
import type { Interaction } from '@tenantry/client'

export interface Home {
  name: string
  /** "" where it is not known. */
  url: string
}

const keyOf = (id: string): string => `tenantry.home.${id}`

export const keepHome = ({ id, application: { name, home_url: url } }: Interaction): void =>
  sessionStorage.setItem(keyOf(id), JSON.stringify({ name, url }))

export const findHome = (id: string): Home | undefined => {
  const kept = sessionStorage.getItem(keyOf(id))
  return kept === null ? undefined : (JSON.parse(kept) as Home)
}

/** The guest of a setup link, who sets up the sign-in of a tenant without an account. The service checks every call. */
import { createClient, type Client, type Look, type Portal, type SetupGuest } from '@tenantry/client'
import { loadProductTheme } from '../dress.ts'
import { send } from '../hosted/send.ts'
import { kept, queryClient } from '../query-client.ts'
import { meQuery, type Me } from './me.ts'
import { portalQuery } from './portal.ts'

interface Known {
  email: string
  tenant: Pick<Me['tenant'], 'id' | 'name'>
  mayActivate: boolean
}

/** The guest in the place of the signed-in user. Guests read neither a profile nor the portal, so these are kept. `sso:manage` stands for the activation. */
const meOf = ({ email, tenant, mayActivate }: Known): Me => ({
  user: { id: 0, email, username: email, nickname: '' } as Me['user'],
  tenant: tenant as Me['tenant'],
  roles: [],
  hasFactor: false,
  isElevated: false,
  can: (needs) => needs === 'sso:read' || (needs === 'sso:manage' && mayActivate),
  reaches: () => true,
})

const nobody: Known = { email: '', tenant: { id: '', name: '' }, mayActivate: false }

/** Shows the page in the look of the portal, before anybody has entered. */
export const dressForGuest = async (): Promise<void> => {
  queryClient.setQueryData(meQuery.queryKey, meOf(nobody), kept)
  const look = await send<Look>('POST', '/oauth2/look', {}).catch(() => undefined)
  if (!look) return
  const { name: product, ...pictures } = look.branding
  const portal: Portal = { product, ...pictures, home_url: '', help_url: '', pages: null, return_to: null }
  queryClient.setQueryData(portalQuery.queryKey, portal, kept)
  if (portal.color !== '') await loadProductTheme()
}

const keyOf = (link: string): string => `tenantry.setup ${link}`

/** The guest of a link whom this tab let in, until the token expires. A reload needs no other code. */
export const guestOf = (link: string): SetupGuest | undefined => {
  const text = sessionStorage.getItem(keyOf(link))
  if (text === null) return undefined
  const guest = JSON.parse(text) as SetupGuest
  return Date.parse(guest.expires_at) > Date.now() ? guest : undefined
}

export const keepGuest = (link: string, guest: SetupGuest): void =>
  sessionStorage.setItem(keyOf(link), JSON.stringify(guest))

export const dropGuest = (link: string): void => sessionStorage.removeItem(keyOf(link))

/** Makes the page the guest's. Returns the guest's client, which reports that its time has ended. */
export const enterAsGuest = (guest: SetupGuest, onEnd: () => void): Client => {
  const { email, tenant, may_activate: mayActivate, roles, token } = guest
  queryClient.setQueryData(meQuery.queryKey, meOf({ email, tenant, mayActivate }), kept)
  const named = roles.map((role) => ({ ...role, description: '', is_system: false, permissions: [] }))
  queryClient.setQueryData(['roles', tenant.id], named, kept)
  return createClient({
    accessToken: token,
    fetch: async (input, init) => {
      // oxlint-disable-next-line no-restricted-globals -- the SDK makes its requests by this call
      const answer = await fetch(input, init)
      if (answer.status === 401) onEnd()
      return answer
    },
  })
}

/** The tenant that an address names, `?tenant=`. */
import { queryClient } from './query-client.ts'
import { client } from './session/client.ts'
import { isOpenMembership, membershipsQuery, type Me } from './session/me.ts'
import { leaveTo } from './session/sign-in.ts'

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The address without the tenant. The router gives it without the console's own path. */
const withoutTenant = (href: string): string => {
  const url = new URL(href, location.origin)
  url.searchParams.delete('tenant')
  return `/console${url.pathname}${url.search}${url.hash}`
}

/** Switches to a tenant of the person. A tenant that refuses the person stays closed. */
const switchTo = async (named: string): Promise<void> => {
  const memberships = await queryClient.query({ ...membershipsQuery, staleTime: 0 })
  const found = memberships.find(({ tenant: { id, slug } }) => [id, slug].includes(named.toLowerCase()))
  if (!found || found.is_current || !isOpenMembership(found)) return
  await client.auth.switchTenant({ tenant_id: found.tenant.id })
}

/**
 * Opens the address in the tenant that it names by id or slug. A caller with `tenant:enter` has any id in scope. Others
 * switch to a tenant of their own. Every other name is dropped.
 */
export const settleTenant = async (named: string, me: Me, href: string): Promise<void> => {
  if (uuid.test(named) && (me.can('tenant:enter') || named === me.tenant.id)) return
  await switchTo(named).catch(() => undefined)
  await leaveTo(withoutTenant(href))
}

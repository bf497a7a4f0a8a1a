import { useSearch } from '@tanstack/react-router'
import type { Client } from '@tenantry/client'
import { createContext, useContext, useMemo } from 'react'
import { client } from './client.ts'
import { useMe } from './me.ts'

export interface Scope {
  /** The tenant that all pages show, and that query keys contain. */
  tenantId: string
  isOwn: boolean
  /** The API with that tenant in scope. */
  api: Client
  /** The search parameter of links within this tenant. The caller's own tenant is omitted. */
  link: { tenant: string | undefined }
}

/** Puts another tenant in scope for a part of a page, without entering that tenant. */
export const ShownTenant = createContext<string | undefined>(undefined)

/** The tenant in scope: the caller's own, or that of the address (`?tenant=`), which survives reload. */
export const useScope = (): Scope => {
  const ownId = useMe().tenant.id
  const entered = useSearch({ from: '/shell' }).tenant
  const tenant = useContext(ShownTenant) ?? entered
  return useMemo(() => {
    const isOwn = tenant === undefined || tenant === ownId
    return isOwn
      ? { tenantId: ownId, isOwn, api: client, link: { tenant: undefined } }
      : { tenantId: tenant, isOwn, api: client.inTenant(tenant), link: { tenant } }
  }, [tenant, ownId])
}

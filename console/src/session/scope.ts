import { useSearch } from '@tanstack/react-router'
import type { Client } from '@tenantry/client'
import { createContext, useContext, useMemo } from 'react'
import { client } from './client.ts'
import { useMe } from './me.ts'

export interface Scope {
  /** The tenant that all pages show, and that query keys contain. */
  tenantId: string
  isOwn: boolean
  /** The API with `tenantId` in scope. */
  api: Client
  /** The search parameter for links within this tenant. It omits the caller's own tenant. */
  link: { tenant: string | undefined }
}

/** The client of a page, which for a guest is not the console's own. */
export const PageClient = createContext<Client>(client)

/** Puts another tenant in scope for a part of a page, while the rest keeps its tenant. */
export const ShownTenant = createContext<string | undefined>(undefined)

/** The tenant in scope: the caller's own tenant, or that of the URL (`?tenant=`), which stays after a reload. */
export const useScope = (): Scope => {
  const ownId = useMe().tenant.id
  const own = useContext(PageClient)
  // A guest's page is not in the shell.
  const entered = useSearch({ strict: false }).tenant
  const tenant = useContext(ShownTenant) ?? entered
  return useMemo(() => {
    const isOwn = tenant === undefined || tenant === ownId
    return isOwn
      ? { tenantId: ownId, isOwn, api: own, link: { tenant: undefined } }
      : { tenantId: tenant, isOwn, api: own.inTenant(tenant), link: { tenant } }
  }, [tenant, ownId, own])
}

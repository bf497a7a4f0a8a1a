import { useSearch } from '@tanstack/react-router'
import type { Client } from '@tenantry/client'
import { useMemo } from 'react'
import { client } from './client.ts'
import { useMe } from './me.ts'

export interface Scope {
  /** The tenant of all pages and of every query key. */
  tenantId: string
  isOwn: boolean
  /** The API with that tenant in scope. */
  api: Client
}

/** The tenant in scope: the caller's own, or that of the address (`?tenant=`), which survives reload. */
export const useScope = (): Scope => {
  const ownId = useMe().tenant.id
  const { tenant } = useSearch({ from: '/shell' })
  return useMemo(() => {
    const isOwn = tenant === undefined || tenant === ownId
    return isOwn
      ? { tenantId: ownId, isOwn, api: client }
      : { tenantId: tenant, isOwn, api: client.inTenant(tenant) }
  }, [tenant, ownId])
}

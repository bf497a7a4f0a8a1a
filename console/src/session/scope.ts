import { useSearch } from '@tanstack/react-router'
import type { Client } from '@tenantry/client'
import { useMemo } from 'react'
import { client } from './client.ts'
import { useMe } from './me.ts'

export interface Scope {
  /** The tenant that the whole console is about. Part of every query key. */
  tenantId: string
  isOwn: boolean
  /** The API with that tenant in scope. */
  api: Client
}

/** The tenant in scope: the own one, or the one that the address names (`?tenant=`), which reload and sharing keep. */
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

import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { lastTenant } from '../session/last-tenant.ts'
import { useMe } from '../session/me.ts'
import { useScope } from '../session/scope.ts'
import { supportNow } from '../session/support.ts'
import { isShared } from './nav-pages.ts'
import { useScopeTenant } from './tenants.ts'

const useCaller = (): string => {
  const { tenant, user } = useMe()
  return `${tenant.id} ${user.id}`
}

/** Remembers the tenant that the caller enters, until the caller leaves it within the console. */
export const useRememberingTenant = (): void => {
  const by = useCaller()
  const { tenantId, isOwn } = useScope()
  const isMissing = useScopeTenant().missing !== undefined
  const wasElsewhere = useRef(false)
  useEffect(() => {
    if (supportNow) return
    if (!isOwn && !isMissing) lastTenant.set({ by, id: tenantId })
    else if (wasElsewhere.current) lastTenant.set(undefined)
    wasElsewhere.current = !isOwn
  }, [by, tenantId, isOwn, isMissing])
}

/** The tenant that the caller has entered before, on a page of the caller's own tenant. */
export const useLastTenant = (): string | undefined => {
  const by = useCaller()
  const { isOwn } = useScope()
  const { can } = useMe()
  const last = lastTenant.useValue()
  const isOfAll = isShared(useLocation().pathname)
  const isOffered = isOwn && !isOfAll && !supportNow && can('tenant:enter')
  return isOffered && last?.by === by ? last.id : undefined
}

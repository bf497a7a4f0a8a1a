import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { isId, pageSearch, type PageSearch } from '../../components/page-search.ts'
import { loadPart } from '../../load-part.ts'
import { shellRoute } from '../../routes.ts'

/** Named as on the wire. */
export interface AuditFilters {
  user_id?: number | undefined
  action?: string | undefined
  resource?: string | undefined
  /** ISO 8601: from this moment on. */
  from?: string | undefined
  /** ISO 8601: before this moment. */
  to?: string | undefined
}

export interface AuditSearch extends PageSearch, AuditFilters {
  /** The record that is open. */
  id?: number | undefined
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && moment.test(value) && !Number.isNaN(Date.parse(value))

const isKeyword = (value: unknown): value is string | number =>
  (typeof value === 'string' || typeof value === 'number') && /^.{1,128}$/u.test(String(value))

export const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  validateSearch: (raw: Record<string, unknown>): AuditSearch => ({
    ...pageSearch(raw),
    ...(isWhole(raw['user_id']) ? { user_id: raw['user_id'] } : {}),
    ...(isKeyword(raw['action']) ? { action: String(raw['action']) } : {}),
    ...(isKeyword(raw['resource']) ? { resource: String(raw['resource']) } : {}),
    ...(isMoment(raw['from']) ? { from: raw['from'] } : {}),
    ...(isMoment(raw['to']) ? { to: raw['to'] } : {}),
    ...(isId(raw['id']) ? { id: raw['id'] } : {}),
  }),
  component: lazyRouteComponent(
    loadPart(() => import('./audit-page.tsx')),
    'AuditPage',
  ),
  staticData: { title: 'audit.title', needs: 'audit:read' },
})

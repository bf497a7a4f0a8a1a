import type { AuditFilters } from './audit.search.ts'

export type Range = Pick<AuditFilters, 'from' | 'to'>

/** The API excludes `to`, but users mean to include the moment that they name. The picker's step is one second. */
export const lastOf = (to: string): string => new Date(Date.parse(to) - 1000).toISOString()

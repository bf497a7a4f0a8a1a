import type { AuditFilters } from './audit.routes.ts'

export type Range = Pick<AuditFilters, 'from' | 'to'>

/** The API ends before `to`; people mean to include what they name: by a second, which is the step of the picker. */
export const lastOf = (to: string): string => new Date(Date.parse(to) - 1000).toISOString()

import { isId, isText, pageSearch, type PageSearch } from '../../components/page-search.ts'

/** Named as in the API. */
export interface AuditFilters {
  user_id?: number | undefined
  /** One action, or several separated by commas. */
  action?: string | undefined
  resource?: string | undefined
  /** Needs `resource` or `action`, because resources of different kinds can have equal ids. */
  resource_id?: string | undefined
  /** The user that the record is about, not the acting user. */
  about_user_id?: number | undefined
  /** ISO 8601, inclusive. */
  from?: string | undefined
  /** ISO 8601, exclusive. */
  to?: string | undefined
  /** A part of the record's text. */
  search?: string | undefined
  ip?: string | undefined
}

/** A page of the log, newest records first. `page` counts from the newest record. */
export interface RecordsSearch extends PageSearch {
  /** The page begins after the record with this id. */
  before_id?: number | undefined
  id?: number | undefined
}

interface AuditSearch extends RecordsSearch, AuditFilters {}

/**
 * For `validateSearch`. A page with a `before_id` is at least the second, because only the first page begins at the
 * newest record.
 */
export const recordsSearch = (raw: Record<string, unknown>): RecordsSearch => ({
  ...(isId(raw['before_id']) ? { page: 2, before_id: raw['before_id'] } : {}),
  ...pageSearch(raw),
  ...(isId(raw['id']) ? { id: raw['id'] } : {}),
})

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && moment.test(value) && !Number.isNaN(Date.parse(value))

const isKeyword = (value: unknown): boolean => isText(value) && /^.{1,128}$/u.test(String(value))

/** The service's limit. */
export const actionsMax = 20

const isActions = (value: unknown): boolean =>
  isText(value) && /^.{1,1000}$/u.test(String(value)) && String(value).split(',').length <= actionsMax

const isKind = (raw: Record<string, unknown>): boolean =>
  isActions(raw['action']) || isKeyword(raw['resource'])

const usersIn = (raw: Record<string, unknown>): AuditFilters => ({
  ...(isWhole(raw['user_id']) ? { user_id: raw['user_id'] } : {}),
  ...(isId(raw['about_user_id']) ? { about_user_id: raw['about_user_id'] } : {}),
})

const textsIn = (raw: Record<string, unknown>): AuditFilters => ({
  ...(isKeyword(raw['search']) ? { search: String(raw['search']) } : {}),
  ...(isKeyword(raw['ip']) ? { ip: String(raw['ip']) } : {}),
})

export const auditSearch = (raw: Record<string, unknown>): AuditSearch => ({
  ...recordsSearch(raw),
  ...usersIn(raw),
  ...textsIn(raw),
  ...(isActions(raw['action']) ? { action: String(raw['action']) } : {}),
  ...(isKeyword(raw['resource']) ? { resource: String(raw['resource']) } : {}),
  ...(isKeyword(raw['resource_id']) && isKind(raw) ? { resource_id: String(raw['resource_id']) } : {}),
  ...(isMoment(raw['from']) ? { from: raw['from'] } : {}),
  ...(isMoment(raw['to']) ? { to: raw['to'] } : {}),
})

export type Range = Pick<AuditFilters, 'from' | 'to'>

/** The last moment of a range. The API excludes `to`, but users mean to include it. The picker's step is one second. */
export const lastOf = (to: string): string => new Date(Date.parse(to) - 1000).toISOString()

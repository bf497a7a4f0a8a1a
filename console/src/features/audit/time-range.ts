import dayjs from 'dayjs'
import type { AuditFilters } from './audit.routes.ts'

export type Range = Pick<AuditFilters, 'from' | 'to'>
/** As the picker has it: local times, the end included. */
export type Draft = [string | null, string | null]

const written = 'YYYY-MM-DD HH:mm:ss'

/** The API ends before `to`; people mean to include what they name: by a second, which is the step of the picker. */
export const lastOf = (to: string) => dayjs(to).subtract(1, 'second')
export const draftOf = ({ from, to }: Range): Draft => [
  from === undefined ? null : dayjs(from).format(written),
  to === undefined ? null : lastOf(to).format(written),
]
export const rangeOf = ([from, to]: Draft): Range => ({
  from: from === null ? undefined : dayjs(from).toISOString(),
  to: to === null ? undefined : dayjs(to).add(1, 'second').toISOString(),
})

/** A last day that is chosen without a time is meant whole. */
export const withWholeDay = ([from, to]: Draft, before: Draft): Draft => [
  from,
  before[1] === null && to !== null ? to.replace('00:00:00', '23:59:59') : to,
]

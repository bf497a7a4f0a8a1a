import { fromZoned } from '../../components/zoned-time.ts'

const dayMs = 86_400_000

export const lifetimes = ['30', '90', '365', 'date', 'never'] as const
export type Lifetime = (typeof lifetimes)[number]

const lastMoment = (day: string, zone: string | undefined) => fromZoned(`${day} 23:59:59`, zone)

/**
 * The expiry of a new key: after some days, or at the end of a day in the zone (`2026-01-31`). Undefined if it never
 * expires.
 */
export const endOf = (lifetime: Lifetime, day: string, zone: string | undefined): string | undefined => {
  if (lifetime === 'never') return undefined
  if (lifetime === 'date') return lastMoment(day, zone).toISOString()
  return new Date(Date.now() + Number(lifetime) * dayMs).toISOString()
}

/** True if the end of the day lies in the future. False for an unfinished date. */
export const isFutureDay = (day: string, zone: string | undefined): boolean =>
  day !== '' && lastMoment(day, zone).valueOf() > Date.now()

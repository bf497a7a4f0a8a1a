import dayjs from 'dayjs'
import timezone from 'dayjs/plugin/timezone'
import utc from 'dayjs/plugin/utc'

dayjs.extend(utc)
dayjs.extend(timezone)

/** The moment in a time zone; undefined means the zone of the system. */
export const zoned = (moment?: string | Date, zone?: string): dayjs.Dayjs => dayjs(moment).tz(zone)

/** Reads a local time of a time zone, such as `2026-01-31 09:30:00`. */
export const fromZoned = (text: string, zone?: string): dayjs.Dayjs => dayjs.tz(text, zone)

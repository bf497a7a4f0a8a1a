import dayjs from 'dayjs'
import timezone from 'dayjs/plugin/timezone'
import utc from 'dayjs/plugin/utc'

dayjs.extend(utc)
dayjs.extend(timezone)

/** A moment as the clocks of a time zone show it; undefined means the zone of the system. */
export const zoned = (moment?: string | Date, zone?: string): dayjs.Dayjs => dayjs(moment).tz(zone)

/** The moment at which the clocks of a time zone show a text, as in `2026-01-31 09:30:00`. */
export const fromZoned = (text: string, zone?: string): dayjs.Dayjs => dayjs.tz(text, zone)

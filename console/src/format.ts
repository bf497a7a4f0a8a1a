import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

const byteUnits = ['B', 'KiB', 'MiB', 'GiB']

/** As in "3 hours ago", in the largest unit that fits. */
const sayAgo = (format: Intl.RelativeTimeFormat, then: Date): string => {
  const seconds = Math.round((then.getTime() - Date.now()) / 1000)
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return format.format(Math.round(seconds / size), unit)
}

/** The language as it is written where the reader lives: the browser's own variant of it, if it has one. */
const localeOf = (language: string): string =>
  navigator.languages.find((tag) => tag.slice(0, 2) === language) ?? language

const createFormat = (language: string) => {
  const count = new Intl.NumberFormat(language)
  const change = new Intl.NumberFormat(language, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 1,
  })
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  // Days of the API are of UTC.
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' })
  const dayShort = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' })
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long' })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const decimal = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  return {
    /** As in "12.5 KiB". */
    bytes: (value: number) => {
      const step = Math.min(Math.floor(Math.log2(Math.max(value, 1)) / 10), byteUnits.length - 1)
      return `${decimal.format(value / 1024 ** step)} ${byteUnits[step]}`
    },
    count: (value: number) => count.format(value),
    /** The percent of the API, as in `+12.5%`. */
    change: (percent: number) => change.format(percent / 100),
    /** Date and time of this machine's zone, for a timestamp of the API. */
    moment: (timestamp: string) => moment.format(new Date(timestamp)),
    /** For a date of the API, such as `2026-01-31`. */
    day: (date: string) => day.format(new Date(date)),
    dayShort: (date: string) => dayShort.format(new Date(date)),
    /** With seconds and the zone: where it matters which of two came first. */
    momentExact: (timestamp: string) => exact.format(new Date(timestamp)),
    ago: (timestamp: string) => sayAgo(relative, new Date(timestamp)),
  }
}

/** Numbers and times as the language writes them. */
export const useFormat = () => {
  const { i18n } = useTranslation()
  return useMemo(() => createFormat(localeOf(i18n.language)), [i18n.language])
}

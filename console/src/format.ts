import type { Page, User } from '@tenantry/client'
import { useMemo } from 'react'
import { isolated } from './isolate.ts'
import { createStore } from './store.ts'
import { useTranslation } from './translation.ts'

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

const byteUnits = ['B', 'KiB', 'MiB', 'GiB']

/** Relative time, such as "3 hours ago" or "in 5 minutes", in the largest unit that fits. */
const sayRelative = (format: Intl.RelativeTimeFormat, seconds: number): string => {
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return format.format(Math.round(seconds / size), unit)
}

/** The browser's own variant of the language, if it has one, so that numbers have the user's usual form. */
const localeOf = (language: string): string =>
  navigator.languages.find((tag) => tag.slice(0, 2) === language) ?? language

const daySeconds = 86_400

/** The days since a date of the API, from noon to now. */
const sayDays = (format: Intl.RelativeTimeFormat, date: string): string => {
  const days = Math.round((Date.parse(date) - Date.now()) / 1000 / daySeconds + 0.5)
  return days > -30 ? format.format(days, 'day') : sayRelative(format, days * daySeconds)
}

/** 0 within the next minute: the clock of the service may be ahead, and no event of the past is in the future. */
const secondsUntil = (timestamp: string): number => {
  const seconds = Math.round((Date.parse(timestamp) - Date.now()) / 1000)
  return seconds > 0 && seconds < 60 ? 0 : seconds
}

/** The long style of Chinese is that of a measurement. */
const relativeOf = (language: string) =>
  new Intl.RelativeTimeFormat(language, {
    numeric: 'auto',
    style: language.startsWith('zh') ? 'short' : 'long',
  })

const createFormat = (language: string, timeZone: string | undefined) => {
  const count = new Intl.NumberFormat(language)
  const change = new Intl.NumberFormat(language, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 1,
  })
  const more = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' })
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone })
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long', timeZone })
  // The API counts days in UTC.
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' })
  const dayShort = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' })
  const relative = relativeOf(language)
  const decimal = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  return {
    /** For example "12.5 KiB". */
    bytes: (value: number) => {
      const power = Math.min(Math.floor(Math.log2(Math.max(value, 1)) / 10), byteUnits.length - 1)
      return `${decimal.format(value / 1024 ** power)} ${byteUnits[power]}`
    },
    count: (value: number) => count.format(value),
    /** The total of a list, such as "10,000+" if the service stopped counting. */
    total: ({ total, isCapped }: Pick<Page<unknown>, 'total' | 'isCapped'>) =>
      `${count.format(total)}${isCapped ? '+' : ''}`,
    /** An increase, such as "+1,200". */
    more: (value: number) => more.format(value),
    percent: (value: number) => new Intl.NumberFormat(language, { style: 'percent' }).format(value / 100),
    /** Growth in percent, such as "+12.5%". */
    change: (value: number) => change.format(value / 100),
    moment: (timestamp: string) => moment.format(new Date(timestamp)),
    /** Omits the date if the timestamp is less than a day old. */
    timeOrMoment: (timestamp: string) => {
      const at = new Date(timestamp)
      return (Date.now() - at.getTime() < 86_400_000 ? time : moment).format(at)
    },
    /** Includes seconds and time zone, for the comparison of records that are close to each other. */
    momentExact: (timestamp: string) => exact.format(new Date(timestamp)),
    /** For a date of the API, such as `2026-01-31`. */
    day: (date: string) => day.format(new Date(date)),
    dayShort: (date: string) => dayShort.format(new Date(date)),
    ago: (timestamp: string) => sayRelative(relative, secondsUntil(timestamp)),
    /** For a date of the API: "today", "3 days ago". */
    daysAgo: (date: string) => sayDays(relative, date),
    /** For example "in 5 minutes". */
    inSeconds: (seconds: number) => sayRelative(relative, seconds),
  }
}

/** The name of a user in all parts of the console. */
export const nameOf = ({ nickname, username }: Pick<User, 'nickname' | 'username'>): string =>
  isolated(nickname || username)

/** Numbers and times in the language of the page, and times in the chosen time zone. */
export const useFormat = () => {
  const { language } = useTranslation()
  const zone = useTimeZone()
  return useMemo(() => createFormat(localeOf(language), zone), [language, zone])
}

const storageKey = 'tenantry.timeZone'

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const readTimeZone = (): string | undefined => {
  const stored = localStorage.getItem(storageKey)
  return stored !== null && isTimeZone(stored) ? stored : undefined
}

const chosenZone = createStore(readTimeZone())

// Another tab has chosen a time zone.
addEventListener('storage', ({ key }) => key === storageKey && chosenZone.set(readTimeZone()))

/** The time zone in which this browser shows and reads times. Undefined for the zone of the system. */
export const useTimeZone = chosenZone.useValue

/** From now on, shows and reads all times in this time zone. Undefined follows the system again. */
export const chooseTimeZone = (name: string | undefined): void => {
  if (name === undefined) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, name)
  chosenZone.set(readTimeZone())
}

/** The formats of texts in schemas. */
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isName } from './text.ts'

type IsText = (text: string) => boolean

/** Longer addresses cannot receive mail (RFC 5321). The limit also bounds the time of the pattern. */
const emailLengthMax = 254
const emailPattern = fullFormats.email as RegExp

export const isEmail: IsText = (text) => text.length <= emailLengthMax && emailPattern.test(text)

const isDateTime = (fullFormats['date-time'] as { validate: IsText }).validate

/** PostgreSQL and JavaScript's dates support the years 1 to 9999 in UTC, and no leap second. */
const isMoment: IsText = (text) => {
  if (!isDateTime(text)) return false
  const year = new Date(text).getUTCFullYear()
  return year >= 1 && year <= 9999
}

export const formats = {
  email: isEmail,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  'date-time': isMoment,
  name: isName,
  password: true,
} as const

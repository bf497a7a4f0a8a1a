import { fullFormats, type FormatName } from 'ajv-formats/dist/formats.js'

/** The longest text of each format, which bounds the time of its pattern. */
const lengthMax = { email: 254, uri: 2048, date: 10, 'date-time': 64, uuid: 64 } as const

export type SettingFormat = keyof typeof lengthMax

export const formatNames = Object.keys(lengthMax)

const isFormat = (name: string): name is SettingFormat & FormatName => Object.hasOwn(lengthMax, name)

/** True if the text has the format, such as `email`. */
export const hasFormat = (name: string, text: string): boolean => {
  if (!isFormat(name) || text.length > lengthMax[name]) return false
  const format = fullFormats[name]
  if (format instanceof RegExp) return format.test(text)
  const validate = typeof format === 'object' && 'validate' in format ? format.validate : format
  if (validate instanceof RegExp) return validate.test(text)
  return typeof validate === 'function' && (validate as (text: string) => boolean)(text)
}

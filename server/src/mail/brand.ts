import { invalid } from '../errors/app-error.ts'
import { requirePicture } from '../values/pictures.ts'
import { controls, isName } from '../values/text.ts'

/** The product's appearance in e-mails: the setting `mail`. Every field may be missing. */
export interface Brand {
  product?: string
  from_name?: string
  /** As `#rrggbb`, or "" for none. */
  color?: string
  /** A data URL, or "" for none. */
  logo?: string
  support_url?: string
  footer?: string
  new_device_notice?: boolean
}

export const productOf = ({ product = 'Tenantry' }: Brand): string => product

/** The key of an installation's setting. */
export const mailSetting = 'mail'

type Field = keyof Brand

const textOf = (min: number, max: number) => (value: unknown) =>
  typeof value === 'string' && [...value].length >= min && [...value].length <= max && !controls.test(value)

const named = (value: unknown) => textOf(1, 64)(value) && isName(String(value))
const supportLengthMax = 500

const isSupport = (value: unknown): boolean => {
  if (value === '') return true
  if (typeof value !== 'string' || value.length > supportLengthMax) return false
  const url = /^https:\/\/[!-~]+$/.test(value) && !/[<>"'\\]/.test(value) ? URL.parse(value) : null
  return url !== null && url.username === '' && url.password === ''
}

const fieldRules: Record<Field, { fits: (value: unknown) => boolean; must: string }> = {
  product: { fits: named, must: 'must have 1 to 64 characters on one line, and none that nobody sees' },
  from_name: {
    fits: (value) => named(value) && !/[<>@",;:]/.test(String(value)),
    must: 'must have 1 to 64 characters on one line, and none that nobody sees or of < > @ " , ; :',
  },
  color: {
    fits: (value) => typeof value === 'string' && /^(?:#[0-9a-f]{6})?$/i.test(value),
    must: 'must be a colour such as #1864ab',
  },
  // `requirePicture` checks the picture itself.
  logo: { fits: (value) => typeof value === 'string', must: 'must be the data URL of a PNG or JPEG' },
  support_url: { fits: isSupport, must: 'must be an https address of up to 500 characters' },
  footer: {
    fits: textOf(0, 500),
    must: 'must have up to 500 characters, and no line breaks or other control characters',
  },
  new_device_notice: { fits: (value) => typeof value === 'boolean', must: 'must be true or false' },
}

const fields = Object.keys(fieldRules)
const isField = (name: string): name is Field => fields.includes(name)

const faultOf = (name: string, value: unknown): string | undefined => {
  if (!isField(name)) return `has the unknown field ${name.slice(0, 64)}; the fields are ${fields.join(', ')}`
  const { fits, must } = fieldRules[name]
  return fits(value) ? undefined : `${name} ${must}`
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Throws 400 for a bad value of the setting `mail`. Ignores every other key. */
export const requireBrand = (key: string, value: unknown): void => {
  if (key !== mailSetting) return
  if (!isFields(value)) throw invalid('value', `must be an object; its fields are ${fields.join(', ')}`)
  for (const [name, part] of Object.entries(value)) {
    const fault = faultOf(name, part)
    if (fault !== undefined) throw invalid('value', fault)
  }
  const { logo = '' } = value as Brand
  requirePicture('value', logo, { types: ['image/png', 'image/jpeg'], sideMax: 1024, bytesMax: 32_768 })
}

/** Reads a stored value. An invalid one counts as empty, so that no e-mail fails because of it. */
export const brandIn = (value: unknown): Brand => {
  try {
    requireBrand(mailSetting, value)
    return value as Brand
  } catch {
    return {}
  }
}

import { invalid } from '../errors/app-error.ts'
import { requirePicture } from '../values/pictures.ts'
import { controls, isName } from '../values/text.ts'

/** How e-mails show the product: the setting `mail`, of which every field may be missing. */
export interface Brand {
  product?: string
  from_name?: string
  /** As `#rrggbb`, "" for none. */
  color?: string
  /** A data URL, "" for none. */
  logo?: string
  support_url?: string
  footer?: string
  new_device_notice?: boolean
}

/** The name of the product in e-mails. */
export const productOf = ({ product = 'Tenantry' }: Brand): string => product

/** Of the installation. */
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

const forms: Record<Field, { fits: (value: unknown) => boolean; must: string }> = {
  product: { fits: named, must: 'must have 1 to 64 characters on one line, and none that nobody sees' },
  from_name: {
    fits: (value) => named(value) && !/[<>@",;:]/.test(String(value)),
    must: 'must have 1 to 64 characters on one line, and none that nobody sees or of < > @ " , ; :',
  },
  color: {
    fits: (value) => typeof value === 'string' && /^(?:#[0-9a-f]{6})?$/i.test(value),
    must: 'must be a colour such as #1864ab',
  },
  // `requirePicture` looks at it.
  logo: { fits: (value) => typeof value === 'string', must: 'must be the data URL of a PNG or JPEG' },
  support_url: { fits: isSupport, must: 'must be an https address of up to 500 characters' },
  footer: {
    fits: textOf(0, 500),
    must: 'must have up to 500 characters, and no line breaks or other control characters',
  },
  new_device_notice: { fits: (value) => typeof value === 'boolean', must: 'must be true or false' },
}

const fields = Object.keys(forms)
const isField = (name: string): name is Field => fields.includes(name)

const faultOf = (name: string, value: unknown): string | undefined => {
  if (!isField(name)) return `has the unknown field ${name.slice(0, 64)}; the fields are ${fields.join(', ')}`
  const { fits, must } = forms[name]
  return fits(value) ? undefined : `${name} ${must}`
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Throws 400 when a setting of the installation is this one, and the value is not its own. */
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

/** The look by a stored value. One that nobody checked counts for nothing, so that no e-mail fails by it. */
export const brandIn = (value: unknown): Brand => {
  try {
    requireBrand(mailSetting, value)
    return value as Brand
  } catch {
    return {}
  }
}

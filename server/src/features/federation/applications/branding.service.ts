/** The settings about the sign-in with applications. */
import { unregisteredSetting } from '../../../access/tenant-settings.sql.ts'
import { invalid } from '../../../errors/app-error.ts'
import { requirePicture } from '../../../values/pictures.ts'
import { isName } from '../../../values/text.ts'

/** A tenant's look on the pages of the sign-in. */
export interface Branding {
  name?: string
  /** A data URL, or "". */
  logo?: string
  /** As `#rrggbb`, or "". */
  color?: string
}

const brandingSetting = 'branding'

/** Checks of the fields. `requirePicture` checks the logo's content. */
const forms = new Map([
  ['name', (text: string) => [...text].length <= 64 && isName(text)],
  ['logo', () => true],
  ['color', (text: string) => /^(?:#[0-9a-f]{6})?$/i.test(text)],
])

const isBranding = (value: unknown): value is Branding => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(value).every(
    ([field, text]: [string, unknown]) => typeof text === 'string' && forms.get(field)?.(text) === true,
  )
}

const requireBranding = (value: unknown): void => {
  if (!isBranding(value)) {
    throw invalid(
      'value',
      'must have only name (one line of up to 64 characters), logo (a data URL) and color (#rrggbb)',
    )
  }
  const bounds = { sideMax: 1024, bytesMax: 32_768 }
  requirePicture('value', value.logo ?? '', { types: ['image/png', 'image/jpeg'], ...bounds })
}

/** Throws 400 when a setting of the installation is one of these, and its value is invalid. */
export const requireGlobalSignInSetting = (key: string, value: unknown): void => {
  if (key === unregisteredSetting && typeof value !== 'boolean') {
    throw invalid('value', 'must be true or false')
  }
}

/** Throws 400 when a setting of a tenant is one of these, and its value is invalid. */
export const requireSignInSetting = (key: string, value: unknown): void => {
  requireGlobalSignInSetting(key, value)
  if (key === brandingSetting) requireBranding(value)
}

/** Colour and logo, which an installation or a tenant chooses. */
import { requirePicture } from './pictures.ts'

/** As `#rrggbb`, "" for none. */
export const colorSchema = { type: 'string', pattern: '^(?:#[0-9A-Fa-f]{6})?$' }

/** A data URL, "" for none. `requireLogo` checks the picture. */
export const logoSchema = { type: 'string', maxLength: 65_536 }

/** Throws 400 unless the data URL contains a small picture. */
export const requireLogo = (field: string, logo: string): void =>
  requirePicture(field, logo, { types: ['image/png', 'image/jpeg'], sideMax: 1024, bytesMax: 32_768 })

import type { BuiltInSetting } from '../../../context.ts'
import { invalid } from '../../../errors/app-error.ts'
import { colorSchema, logoSchema, requireLogo } from '../../../values/looks.ts'
import { isName } from '../../../values/text.ts'
import { portalPages } from './portal.schemas.ts'

/** The fields that a stored value can have. */
export interface StoredPortal {
  product?: string
  logo?: string
  logo_dark?: string
  icon?: string
  color?: string
  home_url?: string
  help_url?: string
  pages?: string[] | null
}

// Any visible ASCII but " ' < > \
const address = { type: 'string', maxLength: 500, pattern: String.raw`^(?:https://[!#-&(-;=?-\[\]-~]+)?$` }

const requireAddress = (field: string, text = ''): void => {
  const url = URL.parse(text)
  if (text !== '' && (url === null || url.username !== '' || url.password !== '')) {
    throw invalid(field, 'must be an https address without a user')
  }
}

const check = (value: unknown): void => {
  const { product = '', home_url: home, help_url: help, ...pictures } = value as StoredPortal
  if (!isName(product)) throw invalid('value/product', 'must be one line, with no character that nobody sees')
  for (const field of ['logo', 'logo_dark', 'icon'] as const) {
    requireLogo(`value/${field}`, pictures[field] ?? '')
  }
  requireAddress('value/home_url', home)
  requireAddress('value/help_url', help)
}

/** The product in the console, on hosted pages and in e-mails. */
export const portalSetting: BuiltInSetting = {
  key: 'tenantry.portal',
  scopes: ['global'],
  schema: {
    type: 'object',
    properties: {
      product: { type: 'string', minLength: 1, maxLength: 64 },
      logo: logoSchema,
      logo_dark: logoSchema,
      icon: logoSchema,
      color: colorSchema,
      home_url: address,
      help_url: address,
      pages: {
        type: ['array', 'null'],
        items: { type: 'string', enum: [...portalPages] },
        maxItems: portalPages.length,
      },
    },
    additionalProperties: false,
  },
  label: 'Portal',
  description: 'The product that people without `tenant:enter` see in place of Tenantry.',
  group: 'Portal',
  check,
}

export const portalSettings: BuiltInSetting[] = [portalSetting]

import type { BuiltInSetting } from '../../../context.ts'
import { invalid } from '../../../errors/app-error.ts'
import type { Brand } from '../../../mail/brand.ts'
import { colorSchema, logoSchema, requireLogo } from '../../../values/looks.ts'
import { controls, isName } from '../../../values/text.ts'

const name = { type: 'string', minLength: 1, maxLength: 64 }

const requireName = (field: string, text = ''): void => {
  if (!isName(text)) throw invalid(field, 'must be one line, with no character that nobody sees')
}

const isPlainAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && url.username === '' && url.password === ''
}

const checkBrand = ({
  product,
  from_name: from,
  logo = '',
  support_url: support = '',
  footer = '',
}: Brand) => {
  requireName('value/product', product)
  requireName('value/from_name', from)
  requireLogo('value/logo', logo)
  if (support !== '' && !isPlainAddress(support)) {
    throw invalid('value/support_url', 'must be an https address without a user')
  }
  if (controls.test(footer)) throw invalid('value/footer', 'must be one line, without control characters')
}

/** Tenants cannot set it: a tenant could write in the name of the installation. */
export const mailSetting: BuiltInSetting = {
  key: 'mail',
  scopes: ['global'],
  schema: {
    type: 'object',
    properties: {
      product: name,
      from_name: { ...name, pattern: '^[^<>@",;:]*$' },
      color: colorSchema,
      logo: logoSchema,
      // Any visible ASCII but " ' < > \
      support_url: {
        type: 'string',
        maxLength: 500,
        pattern: String.raw`^(?:https://[!#-&(-;=?-\[\]-~]+)?$`,
      },
      footer: { type: 'string', maxLength: 500 },
      new_device_notice: { type: 'boolean' },
    },
    additionalProperties: false,
  },
  label: 'Look of e-mails',
  description: 'How e-mails show the product.',
  group: 'E-mail',
  check: (value) => checkBrand(value as Brand),
}

export const mailSettings: BuiltInSetting[] = [mailSetting]

/** The settings that Tenantry itself reads. Their pages say who may change them, and under which conditions. */
import { factorSetting, ssoSetting, unregisteredSetting } from '../../../access/tenant-settings.sql.ts'
import type { StoredDefinition } from './definitions.store.ts'

const text = (maxLength: number) => ({ type: 'string', maxLength })
const color = { type: 'string', pattern: '^(?:#[0-9A-Fa-f]{6})?$' }
/** A data URL of 32 KiB, as base64. */
const logo = text(65_536)
const closed = (properties: object) => ({ type: 'object', properties, additionalProperties: false })

const builtIn = (
  key: string,
  scopes: StoredDefinition['scopes'],
  schema: object,
  words: { label: string; description: string; group: string; default?: unknown },
): StoredDefinition => ({
  key,
  schema,
  default_value: words.default ?? null,
  scopes,
  is_secret: false,
  is_public: false,
  is_locked: false,
  label: words.label,
  description: words.description,
  group_name: words.group,
  updated_at: '',
})

const definitions = [
  builtIn(
    'audit.retention_days',
    ['tenant'],
    { type: ['integer', 'null'], minimum: 30, maximum: 36_500 },
    {
      label: 'Retention of audit records',
      description: 'Days that audit records are kept; without it they are kept for ever.',
      group: 'Audit log',
    },
  ),
  builtIn(
    factorSetting,
    ['tenant'],
    { type: 'boolean' },
    {
      label: 'Second factor',
      description: 'Everybody in scope of the tenant needs a session with a second factor.',
      group: 'Sign-in',
      default: false,
    },
  ),
  builtIn(
    ssoSetting,
    ['tenant'],
    { type: 'string', enum: ['optional', 'required'] },
    {
      label: 'Sign-in by the connection',
      description: 'Whether nothing but a connection of the tenant leads into it.',
      group: 'Sign-in',
      default: 'optional',
    },
  ),
  builtIn(
    unregisteredSetting,
    ['global', 'tenant'],
    { type: 'boolean' },
    {
      label: 'Applications that registered themselves',
      description: 'People may authorize applications that no administrator has made.',
      group: 'Sign-in',
      default: false,
    },
  ),
  builtIn('branding', ['tenant'], closed({ name: text(64), logo, color }), {
    label: 'Look of the sign-in',
    description: 'How the pages of the sign-in show the tenant.',
    group: 'Sign-in',
  }),
  builtIn(
    'mail',
    ['global'],
    closed({
      product: text(64),
      from_name: text(64),
      color,
      logo,
      support_url: text(500),
      footer: text(500),
      new_device_notice: { type: 'boolean' },
    }),
    {
      label: 'Look of e-mails',
      description: 'How e-mails show the product.',
      group: 'E-mail',
    },
  ),
]

export const builtInDefinitions: ReadonlyMap<string, StoredDefinition> = new Map(
  definitions.map((one) => [one.key, one]),
)

/** Keys of this and of later versions: nobody declares or locks them. */
export const isReserved = (key: string): boolean =>
  ['branding', 'mail'].includes(key) || /^(?:auth|audit|tenantry)\./.test(key)

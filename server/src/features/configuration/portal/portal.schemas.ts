import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'

/** The pages of the console, each by the beginning of its address. */
export const portalPages = [
  'dashboard',
  'audit',
  'users',
  'roles',
  'grants',
  'reviews',
  'approvals',
  'connections',
  'applications',
  'resources',
  'service-accounts',
  'webhooks',
  'flags',
  'settings',
  'tenants',
  'attributes',
  'catalogue',
  'providers',
  'notifications',
] as const

const Text = (example: string, description?: string) =>
  Type.String({ examples: [example], ...(description !== undefined && { description }) })

export const PortalQuery = Type.Object({
  return_to: Type.Optional(
    Type.String({
      maxLength: 2048,
      description: 'A page of the product that links to the console.',
      examples: ['https://app.example.com/team'],
    }),
  ),
})
export type PortalQuery = Static<typeof PortalQuery>

export const Portal = Type.Object(
  {
    product: Text('Acme Cloud', '"" without a portal.'),
    logo: Text('', 'A data URL, "" for none.'),
    logo_dark: Text('', 'The logo on a dark page.'),
    icon: Text('', 'The icon of the window.'),
    color: Text('#3366ff', '"" for none.'),
    home_url: Text('https://app.example.com/', '"" for none.'),
    help_url: Text('https://help.example.com/', '"" for none.'),
    pages: Type.Union([Type.Null(), Type.Array(Text('users'))], { description: 'Null for all.' }),
    return_to: Type.Union([
      Type.Null(),
      Type.Object({
        name: Text('Acme Cloud'),
        url: Text('https://app.example.com/team', 'At an origin of the product. Null for any other.'),
      }),
    ]),
  },
  { title: 'Portal' },
)
export type Portal = Static<typeof Portal>

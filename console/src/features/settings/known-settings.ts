import type { Setting } from '@tenantry/client'
import { sections, type SectionName, type SettingsSearch } from './settings.search.ts'

export type SettingScope = 'tenant' | 'global'

/** Settings that the service itself reads, with their limits. They have forms instead of JSON. */
export const retention = { key: 'audit.retention_days', daysMin: 30, daysMax: 36_500 } as const

export const secondFactor = { key: 'auth.require_second_factor' } as const

/** Whether users can sign in to the tenant only by a connection. */
export const connectionOnly = { key: 'auth.sso', on: 'required', off: 'optional' } as const

export const branding = { key: 'branding', nameMax: 64 } as const

export const unregistered = { key: 'auth.unregistered_applications' } as const

/** A global setting, which belongs to the installation. */
export const mail = { key: 'mail', nameMax: 64, supportMax: 500, footerMax: 500 } as const

/** The rules for new passwords, of the installation and of a tenant. */
export const passwords = {
  key: 'auth.passwords',
  lengthMin: 8,
  lengthMax: 64,
  /** NIST SP 800-63B-4 asks for these where a password is the only factor. */
  proposed: { min_length: 15, refuse_common: true, refuse_personal: true },
} as const

/** The ways to sign in that are open, of the installation and of a tenant. */
export const ways = { key: 'auth.ways' } as const

/** The rules about work as a user, for staff and for colleagues, and whether the user is asked and told. */
export const supportAccess = { key: 'auth.support_access' } as const
export const supportColleagues = { key: 'auth.support_colleagues' } as const
export const supportNotice = { key: 'auth.support_notice' } as const
export const supportModes = ['ask', 'allowed', 'off'] as const

/** A global setting: what strangers prove before they register. */
export const robots = { key: 'auth.robots', on: 'proof_of_work', off: 'off' } as const

/** A global setting: the product in place of Tenantry. */
export const portal = {
  key: 'tenantry.portal',
  nameMax: 64,
  addressMax: 500,
  /** Three pictures fit into the 64 KiB of a setting. */
  pictureBytesMax: 15_000,
  /** The pages, with the titles of the navigation. */
  pages: {
    dashboard: 'places.dashboard',
    audit: 'places.audit',
    users: 'places.users',
    roles: 'places.roles',
    grants: 'places.grants',
    reviews: 'places.reviews',
    approvals: 'places.approvals',
    connections: 'places.connections',
    applications: 'places.applications',
    resources: 'places.resources',
    'service-accounts': 'places.serviceAccounts',
    webhooks: 'places.webhooks',
    flags: 'places.flags',
    settings: 'places.settings',
    tenants: 'places.tenants',
    attributes: 'places.attributes',
    catalogue: 'places.catalogue',
    providers: 'places.providers',
    notifications: 'places.notifications',
  },
} as const

/** The most that a tenant may have of a kind: the value of all tenants, and that of one. */
export const limits = { key: 'tenantry.limits', max: 1_000_000_000 } as const

const keysOf: Record<SettingScope, Record<SectionName, readonly string[]>> = {
  tenant: {
    security: [
      secondFactor.key,
      connectionOnly.key,
      passwords.key,
      ways.key,
      supportAccess.key,
      supportColleagues.key,
      supportNotice.key,
    ],
    branding: [branding.key],
    product: [],
    advanced: [retention.key, unregistered.key, limits.key],
  },
  global: {
    security: [passwords.key, ways.key, robots.key],
    branding: [mail.key, portal.key],
    product: [],
    advanced: [limits.key],
  },
}

const sectionOf = (scope: SettingScope, key: string): SectionName | undefined =>
  sections.find((name) => keysOf[scope][name].includes(key))

export const hasForm = (scope: SettingScope, key: string): boolean => sectionOf(scope, key) !== undefined

/** Where the form of a setting is. Undefined if it has none. */
export const formOf = (key: string): SettingsSearch | undefined => {
  const [own, shared] = [sectionOf('tenant', key), sectionOf('global', key)]
  if (own) return { section: own }
  return shared && { scope: 'global', section: shared }
}

/** The settings that the sections of forms show. */
export interface FormsProps {
  scope: SettingScope
  settingOf: (name: string) => Setting | undefined
}

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

/** A global setting: what strangers prove before they register. */
export const robots = { key: 'auth.robots', on: 'proof_of_work', off: 'off' } as const

const keysOf: Record<SettingScope, string[]> = {
  tenant: [
    retention.key,
    secondFactor.key,
    connectionOnly.key,
    branding.key,
    unregistered.key,
    passwords.key,
    ways.key,
  ],
  global: [mail.key, passwords.key, ways.key, robots.key],
}

export const hasForm = (scope: SettingScope, key: string): boolean => keysOf[scope].includes(key)

/** The system roles of every tenant. */
import { platformAdminId, platformAdminRole, startingRole } from './permissions.ts'

interface Template {
  id: number
  name: string
  description: string
  holds: (permission: { code: string; platform_only: boolean }) => boolean
}

export const adminTemplate = { id: 2, name: 'admin' } as const

/** The templates of the system roles. Every tenant has them, except `platform-admin`. Nobody can change them. */
export const builtInTemplates: readonly Template[] = [
  {
    id: platformAdminId,
    name: platformAdminRole,
    description: 'Administers the installation: every permission in every tenant',
    holds: () => true,
  },
  {
    ...adminTemplate,
    description: 'Administers the tenant: every permission within it',
    holds: (permission) => !permission.platform_only,
  },
  {
    id: 3,
    name: 'viewer',
    description: 'Reads everything in the tenant',
    holds: ({ code, platform_only: isBeyond }) => !isBeyond && code.endsWith(':read'),
  },
  {
    id: 4,
    name: startingRole,
    description: 'What every user starts with',
    holds: ({ code }) => code === 'dashboard:read',
  },
]

import { patiently } from './attack.ts'
import type { Answer, Session } from '../lab/client.ts'

/** A change of authority, as a preview takes it. */
export type Change =
  | { kind: 'replace_permissions'; role_id: number; permission_ids: number[] }
  | { kind: 'assign_role' | 'unassign_role'; user_id: number; role_id: number }
  | { kind: 'delete_role'; role_id: number }
  | { kind: 'set_user_status'; user_id: number; status: 0 | 1 }

type Sent = [method: string, path: string, body?: unknown]

const requestOf = (change: Change): Sent => {
  switch (change.kind) {
    case 'replace_permissions':
      return ['PUT', `/rbac/roles/${change.role_id}/permissions`, { permission_ids: change.permission_ids }]
    case 'assign_role':
      return ['POST', `/rbac/users/${change.user_id}/roles`, { role_id: change.role_id }]
    case 'unassign_role':
      return ['DELETE', `/rbac/users/${change.user_id}/roles/${change.role_id}`]
    case 'delete_role':
      return ['DELETE', `/rbac/roles/${change.role_id}`]
    case 'set_user_status':
      return ['PUT', `/users/${change.user_id}`, { status: change.status }]
  }
}

/** Makes a change by the request of its own endpoint. */
export const makeChange = (by: Session, change: Change, tenant = by.tenantId): Promise<Answer> => {
  const [method, path, body] = requestOf(change)
  return patiently(() => by.call(method, path, body, { tenant }))
}

export const askPreview = (by: Session, changes: Change[], tenant = by.tenantId): Promise<Answer> =>
  patiently(() => by.call('POST', '/authz/preview', { changes }, { tenant }))

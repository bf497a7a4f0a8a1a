import { patiently } from './attack.ts'
import type { Answer, Session } from '../lab/client.ts'
import { requestOf, type Ids, type Operation } from './operations.ts'

/** Ids of objects that never exist. */
const nothing: Ids = {
  user: 1e15,
  role: 1e15,
  session: '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b',
  invitation: 1e15,
  factor: '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b',
  broadcast: 1e15,
  notification: 1e15,
  serviceAccount: 1e15,
  accountKey: 1e15,
  webhook: 1e15,
  auditLog: 1e15,
  tenant: '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b',
  key: 'prove.none',
  text: 'x',
  permission: 1e15,
  template: 1e15,
  application: 1e15,
  resource: 1e15,
  secret: '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b',
  globalKey: 'prove.none',
  flag: 'prove.none',
}

/**
 * Sends an operation with unknown ids and an invalid body, so it changes nothing. The status shows whether the caller
 * passed the permission check.
 */
export const knock = (by: Session, operation: Operation): Promise<Answer> => {
  const { method, path } = requestOf(operation, new Map(operation.places.map((place) => [place, nothing])))
  const body = operation.body === undefined ? undefined : []
  return patiently(() => by.call(method, path.replace('/api/v1', ''), body))
}

/** Whether the permission check refused the caller. */
export const isRefusedFor = ({ status, body }: Answer, code: string): boolean =>
  status === 403 && String(body?.message).includes(code)

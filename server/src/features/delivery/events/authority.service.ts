/** Notifies streams of possible changes of permissions, so that their clients forget cached answers. */
import type { Parts } from '../../../context.ts'
import type { Authority } from './events.schemas.ts'
import * as store from './events.store.ts'
import {
  receivesOthers,
  receivesTenant,
  isConcerned,
  ownAuthority,
  send,
  type AuthorityChange,
  type Listener,
} from './listener.ts'

/**
 * Notifies callers of changes of their own permissions. Notifies keys with `authz:check` of changes of other users'
 * permissions.
 */
export const sendAuthority = async (
  parts: Pick<Parts, 'store'>,
  listeners: ReadonlySet<Listener>,
  change: AuthorityChange,
): Promise<void> => {
  const others: Listener[] = []
  for (const listener of listeners) {
    if (isConcerned(listener, change)) send(listener, 'authority', ownAuthority(listener, change))
    else if (receivesOthers(listener)) others.push(listener)
  }
  if (others.length === 0) return
  for (const authority of await authoritiesOf(parts, change)) {
    for (const listener of others) {
      if (receivesTenant(listener, authority.tenant_id)) send(listener, 'authority', authority)
    }
  }
}

/** The users whose permissions a change affects. Every other kind of change concerns all listeners. */
const authoritiesOf = async (parts: Pick<Parts, 'store'>, change: AuthorityChange): Promise<Authority[]> => {
  if (change?.kind === 'user') {
    return [{ tenant_id: change.tenantId, user_id: change.userId, session_id: change.sessionId }]
  }
  if (change?.kind === 'tenant') return [{ tenant_id: change.tenantId, user_id: 0, session_id: '' }]
  if (change?.kind !== 'account') return []
  const { accountId } = change
  const users = await store.selectUsersOfAccount(parts.store.scoped({ accountId }), accountId)
  return users.map(({ tenant_id, id }) => ({ tenant_id, user_id: id, session_id: '' }))
}

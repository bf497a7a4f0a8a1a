import { setTimeout as sleep } from 'node:timers/promises'
import { permissionIds } from '../../attack.ts'
import { newTenant, ok, type Session } from '../../../lab/client.ts'
import { idsOf, userWith } from '../escalation/stage.ts'

interface Asked {
  isWrite: boolean
  sentAt: number
  status: number
}

/** A user who reads and writes at every replica and loses the permission for both. */
export interface Revocation {
  /** Takes the role at the first replica; the delay counts from its answer. */
  revoke: () => Promise<void>
  /** Ends the requests and resolves with the figures. Throws when one was allowed for too long. */
  judge: () => Promise<string>
}

/** The longest time that a lost permission may still allow reads (docs/contract.md, "Roles and permissions"). */
const staleMs = 2000
const pauseMs = 20

const askOnce = async (victim: Session, isWrite: boolean): Promise<Asked> => {
  const sentAt = performance.now()
  const asking = isWrite
    ? victim.call('PUT', '/settings/tenant/revocation', { value: sentAt })
    : victim.call('GET', '/users?page_size=1')
  // A broken connection neither allows nor refuses.
  const answer = await asking.catch(() => undefined)
  return { isWrite, sentAt, status: answer?.status ?? 0 }
}

const judgeAll = (asked: Asked[], revokedAt: number): string => {
  const later = asked.filter(({ sentAt, status }) => sentAt > revokedAt && status === 200)
  const writes = later.filter(({ isWrite }) => isWrite)
  if (writes.length > 0) {
    throw new Error(`${writes.length} writes were allowed after the permission was taken`)
  }
  const lastMs = Math.max(0, ...later.map(({ sentAt }) => sentAt - revokedAt))
  if (lastMs >= staleMs) {
    throw new Error(`reads were allowed for ${Math.round(lastMs)} ms after the permission was taken`)
  }
  const refused = asked.filter(({ sentAt, status }) => sentAt > revokedAt && status === 403)
  if (refused.length === 0) throw new Error('no request was refused after the permission was taken')
  return `after a permission was taken no write passed, and reads passed for at most ${Math.round(lastMs)} ms`
}

export const startRevocation = async (root: Session, urls: string[]): Promise<Revocation> => {
  const { id: tenant } = await newTenant(root)
  const permissions = idsOf(await permissionIds(root, tenant), ['user:read', 'setting:update'])
  const { user, role } = await userWith(root, tenant, permissions)
  const asked: Asked[] = []
  let revokedAt = Infinity
  let isOver = false
  const over = () => isOver
  const asking = urls.flatMap((url) =>
    [true, false].map(async (isWrite) => {
      for (; !over(); await sleep(pauseMs)) asked.push(await askOnce(user.at(url), isWrite))
    }),
  )
  return {
    async revoke() {
      ok(await root.call('DELETE', `/rbac/users/${user.userId}/roles/${role}`, undefined, { tenant }))
      revokedAt = performance.now()
    },
    async judge() {
      isOver = true
      await Promise.all(asking)
      return judgeAll(asked, revokedAt)
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { permissionIds } from '../attack.ts'
import { newTenant, ok, type Session } from '../client.ts'
import { idsOf, userWith } from './escalation-stage.ts'

interface Asked {
  isWrite: boolean
  sentAt: number
  status: number
}

/** Somebody who reads and writes at every replica, and loses the right to both. */
export interface Revocation {
  /** Takes the role at the first replica; its answer is what counts. */
  revoke: () => Promise<void>
  /** Ends the reading and writing; resolves with the figures, throws when something was allowed for too long. */
  judge: () => Promise<string>
}

/** How long a lost permission may still let read (service API: caching). */
const staleMs = 2000
const pauseMs = 20

const askOnce = async (victim: Session, isWrite: boolean): Promise<Asked> => {
  const sentAt = performance.now()
  const answer = isWrite
    ? await victim.call('PUT', '/settings/tenant/revocation', { value: sentAt })
    : await victim.call('GET', '/users?page_size=1')
  return { isWrite, sentAt, status: answer.status }
}

const judgeAll = (asked: Asked[], revokedAt: number): string => {
  const later = asked.filter(({ sentAt, status }) => sentAt > revokedAt && status === 200)
  const writes = later.filter(({ isWrite }) => isWrite)
  if (writes.length > 0) throw new Error(`${writes.length} writes were allowed after it was taken`)
  const lastMs = Math.max(0, ...later.map(({ sentAt }) => sentAt - revokedAt))
  if (lastMs >= staleMs) throw new Error(`reads were allowed for ${Math.round(lastMs)} ms after it was taken`)
  const refused = asked.filter(({ sentAt, status }) => sentAt > revokedAt && status === 403)
  if (refused.length === 0) throw new Error('nothing was refused after the permission was taken')
  return `a permission taken let no write pass, and read for ${Math.round(lastMs)} ms at most`
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

import { signIn, type Session } from '../../../lab/client.ts'
import { startReplica, type Replica } from '../../../lab/replica.ts'
import type { Prove, Suite } from '../../suite.ts'
import { embeddedStores, serviceStores, type Target } from '../../target.ts'
import { proveFullDisk } from './disk.ts'
import { proveLogins } from './logins.ts'
import { proveSlow } from './slow.ts'
import { proveSoak } from './soak.ts'

/** Hash cost and limits of a real installation; each `10.x` address in X-Forwarded-For is another client. */
const asInstalled = {
  TENANTRY_BCRYPT_COST: '12',
  TENANTRY_RATE_LIMIT: 'on',
  TENANTRY_TRUSTED_PROXIES: '127.0.0.1',
}

/** A server and stores that only this proof uses. */
interface Ground {
  replica: Replica
  root: Session
}

const onOwnServer = async (
  { kind }: Target,
  settings: Record<string, string>,
  proof: (ground: Ground) => Promise<string>,
): Promise<string> => {
  const stores = await (kind === 'embedded' ? embeddedStores() : serviceStores())
  let replica: Replica | undefined
  try {
    replica = await startReplica({ ...stores.env, ...settings })
    const { TENANTRY_ADMIN_EMAIL: email = '', TENANTRY_ADMIN_PASSWORD: password = '' } = stores.env
    return await proof({ replica, root: await signIn(replica.url, email, password) })
  } finally {
    replica?.signal('SIGKILL')
    await replica?.exited
    await stores.remove()
  }
}

/** Proves slow clients on a server of their own: the proof mostly waits, so another one runs meanwhile. */
const startSlow = async (target: Target): Promise<{ outcome: Promise<string> }> => {
  const measured = Promise.withResolvers<void>()
  const outcome = onOwnServer(target, {}, ({ replica, root }) =>
    proveSlow(root, { pid: replica.pid, deaf: target.short ? 0 : 6, onMeasured: measured.resolve }),
  )
  await Promise.race([measured.promise, outcome.catch(() => {})])
  return { outcome }
}

const prove = async (target: Target, record: Prove): Promise<void> => {
  // The hashing queue and the time limits do not depend on the stores: the short form proves them on one kind.
  const isWhole = !target.short || target.kind === 'services'
  if (isWhole) {
    await record('a storm of sign-ins leaves reads under 100 ms (p99) and probes answered', () =>
      onOwnServer(target, asInstalled, ({ root }) => proveLogins(root, target.short ? 3000 : 20_000)),
    )
  }
  const slow = isWhole ? await startSlow(target) : undefined
  if (target.kind === 'embedded') {
    await record('with a full disk writes are refused, reads go on and no acknowledged write is lost', () =>
      proveFullDisk(target.env ?? {}),
    )
  }
  await record('memory and open files level off under mixed load', () =>
    onOwnServer(target, {}, ({ replica, root }) =>
      proveSoak(root, replica.pid, target.short ? 12_000 : 600_000),
    ),
  )
  if (!slow) return
  await record(
    target.short
      ? 'slow and silent clients are disconnected and do not slow down others'
      : 'slow, silent and deaf clients are disconnected and do not slow down others',
    () => slow.outcome,
  )
}

export const overload: Suite = { name: 'overload', kinds: ['embedded', 'services'], prove }

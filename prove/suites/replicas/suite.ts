import { withReplicas, type Group } from '../../replica-group.ts'
import type { Prove, Suite } from '../../suite.ts'
import type { Target } from '../../target.ts'
import { proveLoss } from './loss.ts'
import { proveBoundedRevocation, proveQuickRevocation } from './revocation.ts'
import { proveRotationEverywhere, proveSettings } from './rotation.ts'

const count = 3

const prove = async (target: Target, record: Prove): Promise<void> => {
  const { env = {}, short } = target
  const rounds = short ? 10 : 50
  const { REDIS_URL: _, ...withoutRedis } = env
  const on = (proof: (group: Group) => Promise<string>) => () => withReplicas(env, count, proof)
  const without = (proof: (group: Group) => Promise<string>) => () => withReplicas(withoutRedis, count, proof)
  await record(
    'a permission taken at one replica is refused at the others within 100 ms (p99) with Redis',
    on((group) => proveQuickRevocation(group, rounds)),
  )
  await record(
    'a permission taken at one replica is refused at the others within 2 s without Redis',
    without((group) => proveBoundedRevocation(group, short ? 5 : rounds)),
  )
  await record(
    'a setting written at one replica applies at all of them',
    on((group) => proveSettings(group, rounds)),
  )
  await record(
    'a key rotated by the command is published at every replica within 2 s with Redis, before it signs',
    on((group) => proveRotationEverywhere(group, env, short ? 3 : 10)),
  )
  await record(
    'killing a replica under load fails only its requests in flight',
    on((group) => proveLoss(group, short ? 1000 : 3000)),
  )
}

export const replicas: Suite = { name: 'replicas', kinds: ['services'], prove }

import { ownPostgres, type OwnPostgres } from '../../../lab/own-postgres.ts'
import { ownRedis } from '../../../lab/own-redis.ts'
import type { OwnServer } from '../../../lab/own-server.ts'
import { withReplicas } from '../../replica-group.ts'
import type { Prove, Suite } from '../../suite.ts'
import { commonEnv, type Target } from '../../target.ts'
import { openStage } from '../crash/writes.ts'
import { onPair, primaryKilled, primaryLeftBehind } from './failover.ts'
import { exhausted, frozen, killed, proveFault, type Fault } from './faults.ts'
import { proveGuessing } from './guessing.ts'

interface Stores {
  postgres: OwnPostgres
  redis: OwnServer & { url: string }
  env: Record<string, string>
}

const replicas = 2

/** Runs `work` on stores of its own, which end with it. */
const withStores = async (work: (stores: Stores) => Promise<string>): Promise<string> => {
  const servers: OwnServer[] = []
  try {
    const redis = await ownRedis()
    servers.push(redis)
    const postgres = await ownPostgres()
    servers.push(postgres)
    await Promise.all(servers.map((server) => server.start()))
    const env = { ...commonEnv, DATABASE_URL: postgres.url, REDIS_URL: redis.url }
    return await work({ redis, postgres, env })
  } finally {
    await Promise.all(servers.map((server) => server.remove()))
  }
}

/** A promise, and the fault that tries to break it. */
type Trial = [promise: string, faultOf: (stores: Stores) => Fault]

const trials = (short: boolean): Trial[] => {
  const lastMs = short ? 2000 : 8000
  // Longer than the limit of any statement, so that every request that hangs shows.
  const freezeMs = short ? 5500 : 12_000
  return [
    ['Redis killed and started again: no request fails', ({ redis }) => killed(redis, true, lastMs)],
    ['Redis frozen and thawed: no request fails', ({ redis }) => frozen(redis, true, lastMs)],
    [
      'PostgreSQL killed and started again: no acknowledged write is lost, and the service recovers without a restart',
      ({ postgres }) => killed(postgres, false, lastMs),
    ],
    [
      'PostgreSQL frozen and thawed: no request hangs beyond 5 s',
      ({ postgres }) => frozen(postgres, false, freezeMs),
    ],
    ['PostgreSQL out of connections: 503 until one is free', ({ postgres }) => exhausted(postgres, lastMs)],
  ]
}

/** Proves one fault after another on the same replicas, none of which is restarted. */
const proveFaults = (short: boolean, record: Prove): Promise<string> =>
  withStores((own) =>
    withReplicas(own.env, replicas, async (group) => {
      const stage = await openStage(group.root)
      for (const [promise, faultOf] of trials(short)) {
        await record(promise, () => proveFault(group, stage, faultOf(own)))
      }
      return 'done'
    }),
  )

const prove = async ({ short }: Target, record: Prove): Promise<void> => {
  await proveFaults(short, record).catch((err: unknown) =>
    record('the stores for these proofs start', () => Promise.reject(new Error(String(err)))),
  )
  await record('limits on guessing hold while Redis is away', () =>
    withStores(({ env, redis }) =>
      withReplicas({ ...env, TENANTRY_RATE_LIMIT: 'on' }, replicas, (group) => proveGuessing(group, redis)),
    ),
  )
  await record(
    'a synchronous standby is promoted after the primary died: no acknowledged write is lost',
    () => withStores(({ postgres, env }) => onPair(postgres, env, primaryKilled)),
  )
  await record('an old primary that comes back after a fail-over is not used', () =>
    withStores(({ postgres, env }) => onPair(postgres, env, primaryLeftBehind)),
  )
}

export const stores: Suite = { name: 'stores', kinds: ['services'], prove }

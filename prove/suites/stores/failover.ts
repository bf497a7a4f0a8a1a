import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnPostgres } from '../../../lab/own-postgres.ts'
import { promote, standbyOf } from '../../../lab/own-postgres.ts'
import { withReplicas } from '../../replica-group.ts'
import { openStage } from '../crash/writes.ts'
import type { Fault } from './faults.ts'
import { proveFault } from './faults.ts'

/** A primary that waits for its synchronous standby at each commit. */
interface Pair {
  primary: OwnPostgres
  standby: OwnPostgres
}

/** The time between the failure of the primary and the promotion of the standby. */
const noticeMs = 1000

const makeSynchronous = async ({ primary }: Pair): Promise<void> => {
  await primary.query("alter system set synchronous_standby_names = '*'")
  await primary.query('select pg_reload_conf()')
  for (let left = 100; left > 0; left -= 1) {
    const states = await primary.query<{ sync_state: string }>('select sync_state from pg_stat_replication')
    if (states[0]?.sync_state === 'sync') return
    await sleep(50)
  }
  throw new Error('the standby does not become synchronous')
}

/** Runs a proof on a pair, with a service whose DATABASE_URL names both. */
export const onPair = async (
  primary: OwnPostgres,
  env: Record<string, string>,
  faultOf: (pair: Pair) => Fault,
): Promise<string> => {
  const standby = await standbyOf(primary)
  try {
    await standby.start()
    const pair = { primary, standby }
    await makeSynchronous(pair)
    const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`
    const address = `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`
    return await withReplicas({ ...env, DATABASE_URL: address }, 2, async (group) =>
      proveFault(group, await openStage(group.root), faultOf(pair)),
    )
  } finally {
    await standby.remove()
  }
}

/** The primary is killed, and the standby is promoted. */
export const primaryKilled = ({ primary, standby }: Pair): Fault => ({
  isServed: false,
  lastMs: noticeMs,
  begin: () => primary.kill(),
  end: async () => void (await promote(standby)),
})

/** The primary is unreachable while the standby is promoted, and comes back as a primary. */
export const primaryLeftBehind = ({ primary, standby }: Pair): Fault => ({
  isServed: false,
  lastMs: noticeMs,
  afterMs: 2.5 * noticeMs,
  begin: async () => primary.freeze(),
  end: async () => {
    await promote(standby)
    setTimeout(() => primary.thaw(), noticeMs)
  },
})

import { ownPooler } from '../../../lab/own-pooler.ts'
import { ownPostgres } from '../../../lab/own-postgres.ts'
import type { OwnServer } from '../../../lab/own-server.ts'
import { withReplicas, type Group } from '../../replica-group.ts'
import type { Prove, Suite } from '../../suite.ts'
import { commonEnv, type Target } from '../../target.ts'
import { openStage } from '../crash/writes.ts'
import { proveApart } from './tenants.ts'
import { killed, proveFault } from '../stores/faults.ts'

/** Connections from the pooler to PostgreSQL: far fewer than the replicas open to the pooler. */
const connections = 4

/** Runs a proof on two replicas behind one pooler in transaction mode. */
const behindPooler = async (
  proof: (group: Group, pooler: OwnServer & { url: string }) => Promise<string>,
): Promise<string> => {
  const servers: OwnServer[] = []
  try {
    const postgres = await ownPostgres()
    servers.push(postgres)
    await postgres.start()
    const pooler = await ownPooler(postgres, connections)
    servers.unshift(pooler)
    await pooler.start()
    return await withReplicas({ ...commonEnv, DATABASE_URL: pooler.url }, 2, (group) => proof(group, pooler))
  } finally {
    for (const server of servers) await server.remove()
  }
}

const prove = async ({ short }: Target, record: Prove): Promise<void> => {
  await behindPooler(async (group, own) => {
    await record('tenants at full speed over few shared connections never see data of each other', () =>
      proveApart(group, own.url, short ? 4000 : 30_000),
    )
    await record('a pooler killed and started again loses no acknowledged write', async () =>
      proveFault(group, await openStage(group.root), killed(own, false, short ? 1000 : 5000)),
    )
    return 'done'
  }).catch((err: unknown) =>
    record('the pooler for these proofs starts', () => Promise.reject(new Error(String(err)))),
  )
}

export const pooler: Suite = { name: 'pooler', kinds: ['services'], prove }

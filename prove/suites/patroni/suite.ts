import type { Session } from '../../../lab/client.ts'
import { ownNetwork } from '../../own-machines.ts'
import type { OwnServer } from '../../../lab/own-server.ts'
import { withReplicas } from '../../replica-group.ts'
import { NotArranged } from '../../report.ts'
import type { Prove, Suite } from '../../suite.ts'
import { commonEnv, type Target } from '../../target.ts'
import { openStage, type Stage } from '../crash/writes.ts'
import { ownCaches, type Caches } from './caches.ts'
import { ownCluster, requirePrograms, type Cluster } from './cluster.ts'
import { startCaddy, startHaproxy } from './front.ts'
import { cut, freeze, hand, kill, part, strike, type Blow } from './rounds.ts'

/** Everything that an operator runs below the service. */
interface Ground {
  cluster: Cluster
  caches: Caches
  haproxy: OwnServer
}

interface Service {
  root: Session
  urls: string[]
  stage: Stage
}

const replicas = 3

const withGround = async (work: (ground: Ground) => Promise<void>): Promise<void> => {
  requirePrograms()
  const network = ownNetwork()
  let haproxy: OwnServer | undefined
  try {
    const [cluster, caches] = await Promise.all([ownCluster(network), ownCaches(network)])
    haproxy = await startHaproxy(network)
    await work({ cluster, caches, haproxy })
  } finally {
    await haproxy?.remove()
    network.remove()
  }
}

/** Three replicas on an empty database behind Caddy; the clients know only Caddy. */
const withService = (
  databaseUrl: string,
  { caches }: Ground,
  proof: (service: Service) => Promise<string>,
): Promise<string> => {
  const env = {
    ...commonEnv,
    DATABASE_URL: databaseUrl,
    REDIS_URL: caches.url,
    TENANTRY_TRUSTED_PROXIES: '127.0.0.1',
  }
  return withReplicas(env, replicas, async ({ urls, root }) => {
    const caddy = await startCaddy(urls)
    try {
      const atCaddy = root.at(caddy.url)
      return await proof({ root: atCaddy, urls: urls.map(() => caddy.url), stage: await openStage(atCaddy) })
    } finally {
      await caddy.remove()
    }
  })
}

type Trial = [what: string, blow: Blow]

const onPrimary = ({ cluster }: Ground): Trial[] => [
  ['killed', kill(cluster)],
  ['frozen', freeze],
  ['cut off', cut],
  ['cut off from the other nodes alone', part],
  ['switched over on purpose', hand((leader) => cluster.switchOver(leader))],
]

const onMaster = ({ caches }: Ground): Trial[] => [
  ['killed', kill(caches)],
  ['frozen', freeze],
  ['cut off', cut],
  ['switched over on purpose', hand(() => caches.switchOver())],
]

const proveAll = async (ground: Ground, rounds: number, record: Prove): Promise<void> => {
  const { cluster, caches, haproxy } = ground
  for (const [place, [what, blow]] of onPrimary(ground).entries()) {
    await record(
      `Patroni, the primary ${what}: nothing acknowledged is lost, no answer takes 5 s, writes within 5 s of the promotion`,
      async () => {
        const address = await cluster.createDatabase(`haproxy_${place}`)
        return withService(address(`127.0.0.1:${haproxy.port}`), ground, (service) =>
          strike(cluster, blow, service, { rounds, isServed: false }),
        )
      },
    )
  }
  await record(
    'Patroni without HAProxy, all nodes in DATABASE_URL, the primary frozen: the same',
    async () => {
      const address = await cluster.createDatabase('hosts')
      const hosts = cluster.machines.map((node) => `${node.address}:5432`).join()
      return withService(address(hosts), ground, (service) =>
        strike(cluster, freeze, service, { rounds, isServed: false }),
      )
    },
  )
  for (const [place, [what, blow]] of onMaster(ground).entries()) {
    await record(
      `Sentinel, the master ${what}: no request fails, and the cache is up within 5 s of the promotion`,
      async () => {
        const address = await cluster.createDatabase(`sentinel_${place}`)
        return withService(address(`127.0.0.1:${haproxy.port}`), ground, (service) =>
          strike(caches, blow, service, { rounds, isServed: true }),
        )
      },
    )
  }
}

const prove = async ({ short }: Target, record: Prove): Promise<void> => {
  await withGround((ground) => proveAll(ground, short ? 1 : 10, record)).catch((err: unknown) =>
    record(
      'Patroni, etcd, HAProxy, Caddy, Redis and Sentinel start; without them this suite proves nothing',
      () => Promise.reject(err instanceof NotArranged ? err : new Error(String(err))),
    ),
  )
}

export const patroni: Suite = { name: 'patroni', kinds: ['services'], prove }

import { mkdirSync, chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Machine, Network } from '../../own-machines.ts'
import { findProgram } from '../../../lab/processes.ts'
import { NotArranged } from '../../report.ts'
import { passwordOf, place } from './files.ts'
import { until } from './until.ts'

/** Three nodes of PostgreSQL with Patroni and etcd. */
export interface Cluster {
  machines: Machine[]
  /** Resolves with the primary when all nodes follow it, one of them synchronously. */
  whole(): Promise<Machine>
  /** Resolves when one of these nodes takes writes. */
  promoted(among: Machine[]): Promise<Machine>
  /** Starts the programs of a node. */
  start(node: Machine): void
  /** Hands the primary over on purpose. */
  switchOver(from: Machine): Promise<unknown>
  /** Makes an empty database, and returns its address at this host and port, or at several. */
  createDatabase(name: string): Promise<(hosts: string) => string>
}

const urlOf = (hosts: string, name = 'postgres'): string =>
  `postgres://postgres:${passwordOf('postgres')}@${hosts}/${name}`

const query = async (node: Machine, text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({
    connectionString: urlOf(`${node.address}:5432`),
    connectionTimeoutMillis: 500,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

const isPrimary = async (node: Machine): Promise<boolean> => {
  const [row] = await query(node, 'select pg_is_in_recovery() as follows')
  return row?.['follows'] === false
}

interface Member {
  name: string
  role: string
  state: string
  timeline: number
  lag?: number | string
}

const membersOf = async (node: Machine): Promise<Member[]> => {
  const answer = await fetch(`http://${node.address}:8008/cluster`, { signal: AbortSignal.timeout(1000) })
  return ((await answer.json()) as { members: Member[] }).members
}

const isFollowing = ({ role, state, lag }: Member): boolean =>
  /^(sync_standby|replica)$/.test(role) && /^(running|streaming)$/.test(state) && lag === 0

/** The name of the leader of a whole cluster. */
const leaderOf = (members: Member[]): string | undefined => {
  const leader = members.find(({ role, state }) => role === 'leader' && state === 'running')
  const followers = members.filter(isFollowing).filter(({ timeline }) => timeline === leader?.timeline)
  const isSynchronous = followers.some(({ role }) => role === 'sync_standby')
  return followers.length === 2 && isSynchronous ? leader?.name : undefined
}

/** Throws NotArranged with the package that is missing. */
export const requirePrograms = (): void => {
  try {
    findProgram('etcd', 'etcd-server')
    findProgram('patroni', 'patroni')
    findProgram('haproxy', 'haproxy')
    findProgram('caddy', 'caddy')
    findProgram('redis-sentinel', 'redis-sentinel')
    findProgram('redis-cli', 'redis-tools')
    findProgram('initdb', 'postgresql-15', ['/usr/lib/postgresql/15/bin'])
  } catch (err) {
    throw new NotArranged((err as Error).message)
  }
}

const makeFolders = ({ folder }: Machine): void => {
  const { uid, gid } = statSync(folder)
  for (const name of ['etcd', 'postgresql']) {
    mkdirSync(join(folder, name), { mode: 0o700 })
    chownSync(join(folder, name), uid, gid)
  }
}

export const ownCluster = async (network: Network): Promise<Cluster> => {
  const nodes = [11, 12, 13].map((number, index) => network.add(`db${index + 1}`, number))
  const configs = new Map(
    nodes.map((node) => {
      makeFolders(node)
      const etcd = place(network, node, 'etcd.yml', { '/var/lib/etcd/tenantry': join(node.folder, 'etcd') })
      const folder = { '/var/lib/postgresql/tenantry': join(node.folder, 'postgresql') }
      return [node, { etcd, patroni: place(network, node, 'patroni.yml', folder) }]
    }),
  )
  const named = (name: string) => nodes.find((node) => node.name === name)
  const cluster: Cluster = {
    machines: nodes,
    whole: () =>
      until('a whole cluster', async () => {
        const views = await Promise.all(nodes.map(membersOf))
        const leaders = new Set(views.map(leaderOf))
        const [leader = ''] = [...leaders]
        return leaders.size === 1 ? named(leader) : undefined
      }),
    promoted: (among) =>
      until('a promotion', async () => {
        const found = among.map(async (node) =>
          (await isPrimary(node)) ? node : Promise.reject(new Error()),
        )
        return Promise.any(found)
      }),
    start(node) {
      const { etcd = '', patroni = '' } = configs.get(node) ?? {}
      node.start(findProgram('etcd', 'etcd-server'), ['--config-file', etcd], 'etcd')
      node.start(findProgram('patroni', 'patroni'), [patroni], 'patroni')
    },
    switchOver: (from) =>
      from.run(findProgram('patronictl', 'patroni'), [
        '-c',
        configs.get(from)?.patroni ?? '',
        'switchover',
        '--leader',
        from.name,
        '--force',
      ]),
    async createDatabase(name) {
      await query(await cluster.whole(), `create database ${name}`)
      return (hosts) => urlOf(hosts, name)
    },
  }
  for (const node of nodes) cluster.start(node)
  await cluster.whole()
  return cluster
}

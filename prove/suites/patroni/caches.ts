import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Machine, Network } from '../../own-machines.ts'
import { findProgram } from '../../../lab/processes.ts'
import { passwordOf, place } from './files.ts'
import { until } from './until.ts'

/** Three machines with a Redis and a Sentinel each. */
export interface Caches {
  machines: Machine[]
  /** Settings by which the service finds the master. */
  url: string
  /** Resolves with the master when all machines agree on it, and the others follow it. */
  whole(): Promise<Machine>
  /** Resolves when one of these machines is the master. */
  promoted(among: Machine[]): Promise<Machine>
  start(machine: Machine): void
  /** Asks a Sentinel to hand the master over. */
  switchOver(): Promise<unknown>
}

const ask = async ({ address }: Machine, port: number, user: string, words: string[]): Promise<string> => {
  const args = ['-h', address, '-p', String(port), '--no-auth-warning', '-a', passwordOf(user), ...words]
  const { stdout } = await promisify(execFile)(findProgram('redis-cli', 'redis-tools'), args, {
    timeout: 1000,
  })
  return stdout
}

const replicationOf = (machine: Machine): Promise<string> =>
  ask(machine, 6379, 'redis', ['info', 'replication'])

const isMaster = async (machine: Machine): Promise<boolean> =>
  (await replicationOf(machine)).includes('role:master')

/** Whether a Sentinel knows two replicas and two other Sentinels, and nothing fails over. */
const agrees = async (machine: Machine, master: Machine): Promise<boolean> => {
  const text = await ask(machine, 26379, 'sentinel', ['info', 'sentinel'])
  const found = text.includes(`status=ok,address=${master.address}:6379,slaves=2,sentinels=3`)
  const answer = await ask(machine, 26379, 'sentinel', ['sentinel', 'ckquorum', 'tenantry'])
  return found && answer.startsWith('OK')
}

const follows = async (machine: Machine, { address }: Machine): Promise<boolean> => {
  const text = await replicationOf(machine)
  return text.includes(`master_host:${address}`) && text.includes('master_link_status:up')
}

const every = async (asked: Promise<boolean>[]): Promise<boolean> =>
  !(await Promise.all(asked)).includes(false)

const findWhole = async (machines: Machine[]): Promise<Machine | undefined> => {
  const roles = await Promise.all(machines.map(isMaster))
  const master = machines[roles.indexOf(true)]
  if (!master) return undefined
  const others = machines.filter((machine) => machine !== master)
  const agreed = await every(machines.map((machine) => agrees(machine, master)))
  return agreed && (await every(others.map((machine) => follows(machine, master)))) ? master : undefined
}

const makeFiles = (network: Network, machine: Machine, isFirst: boolean) => {
  const places = { '/var/lib/redis': machine.folder }
  const follow: Record<string, string> = isFirst ? {} : { '# replicaof': 'replicaof' }
  return {
    redis: place(network, machine, 'redis.conf', { ...places, ...follow }),
    sentinel: place(network, machine, 'sentinel.conf', places),
  }
}

export const ownCaches = async (network: Network): Promise<Caches> => {
  const machines = [21, 22, 23].map((number, index) => network.add(`cache${index + 1}`, number))
  const files = new Map(machines.map((machine, index) => [machine, makeFiles(network, machine, index === 0)]))
  const hosts = machines.map(({ address }) => `${address}:26379`).join()
  const caches: Caches = {
    machines,
    url: `redis://:${passwordOf('redis')}@${hosts}/0?sentinel=tenantry&sentinel_password=${passwordOf('sentinel')}`,
    whole: () => until('Sentinels that agree', () => findWhole(machines)),
    promoted: (among) =>
      until('a new master', () =>
        Promise.any(
          among.map(async (machine) => ((await isMaster(machine)) ? machine : Promise.reject(new Error()))),
        ),
      ),
    start(machine) {
      const { redis = '', sentinel = '' } = files.get(machine) ?? {}
      machine.start(findProgram('redis-server', 'redis-server'), [redis], 'redis')
      machine.start(findProgram('redis-sentinel', 'redis-sentinel'), [sentinel], 'sentinel')
    },
    async switchOver() {
      const [first] = machines
      if (first) await ask(first, 26379, 'sentinel', ['sentinel', 'failover', 'tenantry'])
    },
  }
  for (const machine of machines) caches.start(machine)
  await caches.whole()
  return caches
}

import { setTimeout as sleep } from 'node:timers/promises'
import { callbackify } from 'node:util'
import pg from 'pg'
import type { ConnectionConfig } from './connection.ts'
import { DatabaseUnavailable, reason } from './errors.ts'
import { openLane, type Lane } from './lane.ts'

/** Several servers with one primary among them. A fail-over makes another one the primary. */
export interface Primary {
  /** Makes `pg` connect to the current primary. */
  connection: ConnectionConfig
  close: () => Promise<void>
}

interface Host {
  name: string
  host: string
  port: number
  /** Asks the server whether it accepts writes, on its own connection. */
  probe: Lane
}

/** A server that accepts writes. Each promotion raises the timeline, so a server with a lower timeline is outdated. */
interface WritableHost {
  host: Host
  timeline: number
}

/** The longest wait for a connection to a server and for its answer. */
const answerMs = 1_000
/** After the first server that accepts writes, other servers have this time to report the same. */
const graceMs = 100
/** The interval between checks of the servers. Reads from an outdated primary end within it. */
const watchMs = 500

const timelineText = `select case when current_setting('transaction_read_only')::boolean then null
 else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`

/**
 * Follows the primary among servers of one address each. It skips standbys, silent servers, and servers with an older
 * timeline than one seen before. After a change of the primary it cuts connections to the old one, because they may
 * read outdated rows.
 */
export function followPrimary(configs: pg.ClientConfig[]): Primary {
  const hosts = configs.map(openHost)
  const search = searchAmong(hosts)
  const timer = setInterval(() => void search.find().catch(() => {}), watchMs).unref()
  return {
    connection: { ...configs[0], Client: clientOf(search) },
    async close() {
      clearInterval(timer)
      await Promise.all(hosts.map(({ probe }) => probe.close()))
    },
  }
}

interface Search {
  /** Asks all servers. Throws DatabaseUnavailable if none is the primary. */
  find: () => Promise<Host>
  /** Registers a connection to the primary. It is cut when that server is no longer the primary. */
  hold: (client: pg.Client) => void
}

function searchAmong(hosts: Host[]): Search {
  const held = new Set<pg.Client>()
  let newestTimeline = 0
  let current: Host | undefined
  let searching: Promise<Host> | undefined

  function take({ host, timeline }: WritableHost): Host {
    newestTimeline = timeline
    current = host
    for (const client of held) cutUnlessAt(client, host)
    return host
  }

  async function searchOnce(): Promise<Host> {
    const found: WritableHost[] = []
    const faults = await askAll(hosts, found)
    const best = found.toSorted((a, b) => b.timeline - a.timeline)[0]
    if (best && best.timeline >= newestTimeline) return take(best)
    const left = found.map(({ host }) => `${host.name}: left behind by a fail-over`)
    throw new DatabaseUnavailable(`no primary (${[...faults, ...left].join(', ')})`)
  }

  return {
    find: () =>
      (searching ??= searchOnce().finally(() => {
        searching = undefined
      })),
    hold(client) {
      held.add(client)
      client.once('end', () => held.delete(client))
      if (current) cutUnlessAt(client, current)
    },
  }
}

/** A client of `pg` that chooses its server while connecting. */
function clientOf({ find, hold }: Search): typeof pg.Client {
  return class extends pg.Client {
    override connect(): Promise<this>
    override connect(callback: (err: Error | null) => void): void
    override connect(callback?: (err: Error | null) => void): Promise<this> | undefined {
      const connect = () => this.#connectToPrimary()
      if (callback) callbackify(connect)(callback)
      return callback ? undefined : connect()
    }

    async #connectToPrimary(): Promise<this> {
      const { host, port } = await find()
      Object.assign(this, { host, port })
      await super.connect()
      hold(this)
      return this
    }
  }
}

function openHost(config: pg.ClientConfig): Host {
  const { host, port } = new pg.Client(config)
  const probe = openLane({ ...config, pipeline: true, connectionTimeoutMillis: answerMs })
  return { name: `${host}:${port}`, host, port, probe }
}

/** Fills `found` with the servers that accept writes, in order. Resolves with the reasons for skipping the others. */
async function askAll(hosts: Host[], found: WritableHost[]): Promise<string[]> {
  const faults = hosts.map(({ name }) => `${name} does not answer`)
  const answers = hosts.map(async (host, index) => {
    try {
      found.push({ host, timeline: await ask(host) })
      faults[index] = ''
    } catch (err) {
      faults[index] = `${host.name}: ${reason(err)}`
      throw err
    }
  })
  const first = Promise.any(answers).then(() => sleep(graceMs))
  const all = Promise.allSettled(answers)
  await Promise.race([all, first.catch(() => all), sleep(answerMs)])
  found.sort((a, b) => hosts.indexOf(a.host) - hosts.indexOf(b.host))
  return faults.filter((fault) => fault !== '')
}

async function ask({ probe }: Host): Promise<number> {
  const { rows } = await probe.send<{ timeline: number | null }>(
    [{ text: timelineText, values: [] }],
    answerMs,
  )
  const timeline = rows[0]?.timeline ?? undefined
  if (timeline === undefined) throw new DatabaseUnavailable('read-only')
  return timeline
}

/** Cuts a connection to any other server: otherwise its caller would wait until the timeout. */
function cutUnlessAt(client: pg.Client, { host, port }: Host) {
  if (client.host === host && client.port === port) return
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection
  stream.destroy()
}

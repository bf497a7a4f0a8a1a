import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { refuteNothing } from '../attack.ts'
import { startBalancer } from '../balancer.ts'
import { newUser, type Session } from '../client.ts'
import type { Group } from '../replica-group.ts'

interface Sent {
  at: number
  endedAt: number
  /** 0 when the connection broke. */
  status: number
}

/** On a connection of its own, so that the balancer decides anew where each request goes. */
const getOnce = (url: string, token: string): Promise<number> =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` }
    const sent = http.get(url, { agent: false, headers, timeout: 10_000 }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', () => resolve(0))
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer')))
    sent.on('error', () => resolve(0))
  })

const read = async (url: string, { token }: Session, log: Sent[]): Promise<void> => {
  const at = performance.now()
  const status = await getOnce(`${url}/api/v1/users?page_size=50`, token)
  log.push({ at, endedAt: performance.now(), status })
}

const clients = 24

/** One of the replicas is killed while all are read from: what was not in its hands goes on. */
export const proveLoss = async ({ replicas, urls, root }: Group, loadMs: number): Promise<string> => {
  const balancer = await startBalancer(urls)
  const log: Sent[] = []
  const load = { isOver: false }
  const readers = Array.from({ length: clients }, async () => {
    while (!load.isOver) await read(balancer.url, root, log)
  })
  await sleep(loadMs)
  const killedAt = performance.now()
  replicas[2]?.signal('SIGKILL')
  await replicas[2]?.exited
  // Until then its kernel accepts connections for it.
  const goneAt = performance.now()
  await sleep(loadMs)
  // New users and writes too, not only what was remembered.
  await newUser(root.at(balancer.url))
  load.isOver = true
  await Promise.all(readers)
  balancer.close()
  const failed = log.filter(({ status }) => status !== 200)
  const unexplained = failed.filter(({ at, status }) => status !== 0 || at > goneAt)
  refuteNothing(
    unexplained.map(
      ({ at, status }) => `answer ${status} to a request sent ${Math.round(at - goneAt)} ms after its end`,
    ),
  )
  const early = failed.filter(({ endedAt }) => endedAt < killedAt)
  refuteNothing(early.map(({ endedAt }) => `broken ${Math.round(killedAt - endedAt)} ms before the kill`))
  if (failed.length > clients) {
    throw new Error(`${failed.length} requests failed, more than ${clients} were in flight`)
  }
  const after = log.filter(({ at }) => at > goneAt).length
  return `${log.length} requests of ${clients} clients over a round-robin balancer: ${failed.length} failed, all in flight while it died (${Math.round(goneAt - killedAt)} ms); the ${after} sent later all answered`
}

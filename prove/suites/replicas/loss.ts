import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { refuteNothing } from '../../attack.ts'
import { startBalancer } from '../../balancer.ts'
import { newUser, type Session } from '../../../lab/client.ts'
import type { Group } from '../../replica-group.ts'

interface Sent {
  at: number
  endedAt: number
  /** The status, or the error of the connection. */
  outcome: number | string
}

/** Uses a new connection, so that the balancer chooses a replica for each request. */
const getOnce = (url: string, token: string): Promise<number | string> =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` }
    const sent = http.get(url, { agent: false, headers, timeout: 10_000 }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', ({ message }) => resolve(message))
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer')))
    sent.on('error', ({ message }) => resolve(message))
  })

const read = async (url: string, { token }: Session, log: Sent[]): Promise<void> => {
  const at = performance.now()
  const outcome = await getOnce(`${url}/api/v1/users?page_size=50`, token)
  log.push({ at, endedAt: performance.now(), outcome })
}

const clients = 24

/** Kills one replica under load: only requests that it held may fail. */
export const proveLoss = async ({ replicas, urls, root }: Group, loadMs: number): Promise<string> => {
  const balancer = await startBalancer(urls)
  const log: Sent[] = []
  let isOver = false
  const over = () => isOver
  const load = Array.from({ length: clients }, async () => {
    while (!over()) await read(balancer.url, root, log)
  })
  await sleep(loadMs)
  const killedAt = performance.now()
  replicas[2]?.signal('SIGKILL')
  await replicas[2]?.exited
  // Until then the kernel accepts connections for the dead replica.
  const goneAt = performance.now()
  await sleep(loadMs)
  // New users and writes have to work too, not only cached sessions.
  await newUser(root.at(balancer.url))
  isOver = true
  await Promise.all(load)
  balancer.close()
  const failed = log.filter(({ outcome }) => outcome !== 200)
  const unexplained = failed.filter(({ at, outcome }) => typeof outcome === 'number' || at > goneAt)
  refuteNothing(
    unexplained.map(
      ({ at, outcome }) => `'${outcome}' to a request sent ${Math.round(at - goneAt)} ms after its end`,
    ),
  )
  const early = failed.filter(({ endedAt }) => endedAt < killedAt)
  refuteNothing(early.map(({ endedAt }) => `broken ${Math.round(killedAt - endedAt)} ms before the kill`))
  // Each client has one request in flight and may have sent its next one to the dying replica too.
  if (failed.length > 2 * clients) throw new Error(`${failed.length} requests failed`)
  const after = log.filter(({ at }) => at > goneAt).length
  return `${log.length} requests of ${clients} clients over a round-robin balancer: ${failed.length} failed, all in flight when it died (${Math.round(goneAt - killedAt)} ms); the ${after} sent later all answered`
}

/** Counts round trips: a relay between the service and one of its stores. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Relay {
  /** The URL of the store, by way of the relay. */
  url: string
  /** Times that the service has sent something after an answer. Requests one after the other make it exact. */
  count: () => number
  stop: () => void
}

/** Relays to the store of a URL. */
export const startRelay = async (store: string): Promise<Relay> => {
  const through = new URL(store)
  const [host, port] = [
    through.hostname,
    Number(through.port || (through.protocol === 'redis:' ? 6379 : 5432)),
  ]
  const sockets = new Set<Socket>()
  let trips = 0
  const server = createServer((near) => {
    const far = connect(port, host)
    let isAnswered = true
    near.on('data', () => {
      if (isAnswered) trips += 1
      isAnswered = false
    })
    far.on('data', () => (isAnswered = true))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.setNoDelay(true)
      one.on('error', () => other.destroy())
      one.on('close', () => sockets.delete(one))
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    count: () => trips,
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP balancer in front of replicas; it sees connections, not requests. */
export interface Balancer {
  url: string
  close(): void
}

const join = (near: Socket, far: Socket): void => {
  near.pipe(far)
  far.pipe(near)
  near.on('close', () => far.destroy())
  far.on('close', () => near.destroy())
}

/** Sends each connection to the next backend in turn and skips a backend that refuses connections. */
export const startBalancer = async (urls: string[]): Promise<Balancer> => {
  const ports = urls.map((url) => Number(new URL(url).port))
  const sockets = new Set<Socket>()
  let turn = 0
  /**
   * Each connection counts its own places: with one shared count two connections could send each other to a dead
   * backend.
   */
  const lead = (near: Socket, place: number, triesLeft: number): void => {
    const far = connect(ports[place % ports.length] ?? 0, '127.0.0.1')
    const next = () => (triesLeft > 0 ? lead(near, place + 1, triesLeft - 1) : near.destroy())
    far.once('error', next)
    far.once('connect', () => {
      far.off('error', next)
      far.on('error', () => near.destroy())
      join(near, far)
    })
  }
  const server = createServer((near) => {
    sockets.add(near)
    near.on('error', () => {})
    near.on('close', () => sockets.delete(near))
    lead(near, turn++, ports.length - 1)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A plain balancer as stands before replicas: it knows connections, not requests. */
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

/** Each connection goes to the next backend in turn; one that accepts none is passed over. */
export const startBalancer = async (urls: string[]): Promise<Balancer> => {
  const ports = urls.map((url) => Number(new URL(url).port))
  const sockets = new Set<Socket>()
  let turn = 0
  /** `place`: which one is tried; counted for each connection apart, or two could keep sending each other to a dead one. */
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

/** A TCP proxy that a test can cut: connections are reset and new ones refused until it is mended. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  cut(): void
  mend(): Promise<void>
  close(): void
}

export const startTcpProxy = async (toPort: number, toHost: string): Promise<TcpProxy> => {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(toPort, toHost)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const cut = () => {
    server.close()
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return { port, cut, mend: () => listen(port), close: cut }
}

/** A TCP proxy between the service and a store, which a test can cut and freeze. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Resets every connection, and refuses new ones. */
  cut(): void
  /** Accepts connections again, on the same port. */
  mend(): Promise<void>
  /** Passes nothing on any more; connections stay open. */
  freeze(): void
  /** Passes on again. Bytes of the meantime are lost, so the connections of the meantime are reset. */
  thaw(): void
  close(): void
}

export const startTcpProxy = async (toPort: number, toHost: string): Promise<TcpProxy> => {
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer((near) => {
    const far = connect(toPort, toHost)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => isFrozen || to.write(bytes))
      from.on('error', () => {})
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
  const resetAll = () => sockets.forEach((socket) => socket.resetAndDestroy())
  const cut = () => {
    server.close()
    resetAll()
  }
  return {
    port,
    cut,
    mend: () => listen(port),
    freeze: () => {
      isFrozen = true
    },
    thaw: () => {
      isFrozen = false
      resetAll()
    },
    close: cut,
  }
}

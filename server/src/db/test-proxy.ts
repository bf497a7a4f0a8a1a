import { once } from 'node:events'
import net from 'node:net'

export type Proxy = Awaited<ReturnType<typeof startProxy>>

/** A TCP proxy that can be cut (connections reset, new ones refused) and frozen (nothing passes any more). */
export async function startProxy(toPort: number, toHost: string) {
  const pairs = new Set<net.Socket>()
  let frozen = false
  const server = net.createServer((near) => {
    const far = net.connect(toPort, toHost)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      pairs.add(from)
      from.on('data', (bytes) => frozen || to.write(bytes))
      from.on('error', () => {})
      from.on('close', () => {
        pairs.delete(from)
        to.destroy()
      })
    }
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as net.AddressInfo).port
  }
  const destroyAll = () => pairs.forEach((socket) => socket.resetAndDestroy())
  const port = await listen(0)
  return {
    port,
    cut() {
      server.close()
      destroyAll()
    },
    reopen: () => listen(port),
    freeze: () => (frozen = true),
    // what was swallowed meanwhile is lost: those connections can only break
    thaw() {
      frozen = false
      destroyAll()
    },
    close() {
      destroyAll()
      server.close()
    },
  }
}

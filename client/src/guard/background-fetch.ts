/** A request as undici, the `fetch` of Node, reports it before it sends the headers. */
interface Sent {
  request: { origin: string | URL; path: string; headers: unknown }
  socket: { unref: () => void }
}

type Report = (sent: Sent) => void

interface Channels {
  subscribe(name: string, report: Report): void
  unsubscribe(name: string, report: Report): void
}

interface Platform {
  process?: { getBuiltinModule?: (name: string) => Channels | undefined }
}

const channelsOf = (): Channels | undefined =>
  (globalThis as Platform).process?.getBuiltinModule?.('node:diagnostics_channel')

const channel = 'undici:client:sendHeaders'

/**
 * `fetch`, whose open answer does not keep Node running: a server that stops listening ends, although a stream is open. Other
 * runtimes and Node before 20.16 know no way to it.
 */
export const backgroundFetch: typeof fetch = async (input, init) => {
  const channels = channelsOf()
  const [url, token] = [input as string, new Headers(init?.headers).get('authorization') ?? '']
  let socket: Sent['socket'] | undefined
  const report: Report = ({ request, socket: used }) => {
    const { origin, path, headers } = request
    if (new URL(path, origin).href === url && String(headers).includes(token)) socket = used
  }
  channels?.subscribe(channel, report)
  try {
    return await fetch(input, init)
  } finally {
    channels?.unsubscribe(channel, report)
    socket?.unref()
  }
}

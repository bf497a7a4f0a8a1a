/** The event of undici (the `fetch` of Node) before it sends the headers of a request. */
interface SentRequest {
  request: { origin: string | URL; path: string; headers: unknown }
  socket: { unref: () => void }
}

type Report = (sent: SentRequest) => void

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
 * `fetch` whose open answer does not keep Node running, so that a stopping server can exit. Other runtimes, and Node
 * before 20.16, offer no way to do so: there it is plain `fetch`.
 */
export const backgroundFetch: typeof fetch = async (input, init) => {
  const channels = channelsOf()
  const [url, token] = [input as string, new Headers(init?.headers).get('authorization') ?? '']
  let socket: SentRequest['socket'] | undefined
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

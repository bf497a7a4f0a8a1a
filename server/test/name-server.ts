/** A DNS server of the tests' own, over UDP on the loopback address: each name has the answers of a list, one after the other. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { Resolver } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import { decode, encode, type Answer } from 'dns-packet'
import type { Resolve } from '../src/outbound/addresses.ts'

export interface NameServer {
  /** Asks this server alone. */
  resolve: Resolve
  /** How often a name was looked up. */
  asked: (name: string) => number
  stop: () => Promise<void>
}

/** The last answer of a name is repeated. */
export const startNameServer = async (names: Record<string, string[][]>): Promise<NameServer> => {
  const socket = createSocket('udp4')
  const asked = new Map<string, number>()
  const addressesOf = (name: string): string[] => {
    const answers = names[name] ?? [[]]
    return answers[Math.min(asked.get(name) ?? 0, answers.length - 1)] ?? []
  }
  socket.on('message', (message, { port, address }) => {
    const { id, questions = [] } = decode(message)
    const [question] = questions
    const { name = '', type = 'A' } = question ?? {}
    const answers = addressesOf(name)
      .filter((one) => isIPv6(one) === (type === 'AAAA'))
      .map((data) => ({ type, name, ttl: 0, data }) as Answer)
    socket.send(encode({ type: 'response', id: id ?? 0, questions, answers }), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const resolver = new Resolver({ timeout: 500, tries: 2 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    resolve: async (name) => {
      const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      asked.set(name, (asked.get(name) ?? 0) + 1)
      return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    },
    asked: (name) => asked.get(name) ?? 0,
    stop: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

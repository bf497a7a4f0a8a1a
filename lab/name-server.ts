/** A DNS server for tests, over UDP on the loopback address. Each name has a list of answers, in their order. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { decode, encode, type Answer } from 'dns-packet'

export interface NameServer {
  server: string
  /** The number of look-ups of a name. */
  asked: (name: string) => number
  stop: () => Promise<void>
}

/**
 * The server repeats the last answer of a name. `texts` has the TXT records of names, each with its strings. A test
 * may change it.
 */
export const startNameServer = async (
  names: Record<string, string[][]>,
  texts: Record<string, string[][] | 'fails'> = {},
): Promise<NameServer> => {
  const socket = createSocket('udp4')
  /** The number of questions about each name, by type, because a look-up asks for A and AAAA. */
  const asked = new Map<string, number>()
  const addressesOf = (name: string, type: string): string[] => {
    const answers = names[name] ?? [[]]
    const before = asked.get(`${type} ${name}`) ?? 0
    asked.set(`${type} ${name}`, before + 1)
    return answers[Math.min(before, answers.length - 1)] ?? []
  }
  const textsOf = (name: string): { flags?: number; answers: Answer[] } => {
    const records = texts[name] ?? []
    // 2 is SERVFAIL.
    if (records === 'fails') return { flags: 2, answers: [] }
    return { answers: records.map((data) => ({ type: 'TXT', name, ttl: 0, data })) }
  }
  socket.on('message', (message, { port, address }) => {
    const { id, questions = [] } = decode(message)
    const [question] = questions
    const { name = '', type = 'A' } = question ?? {}
    if (type === 'TXT') {
      socket.send(encode({ type: 'response', id: id ?? 0, questions, ...textsOf(name) }), port, address)
      return
    }
    const answers = addressesOf(name, type)
      .filter((one) => isIPv6(one) === (type === 'AAAA'))
      .map((data) => ({ type, name, ttl: 0, data }) as Answer)
    socket.send(encode({ type: 'response', id: id ?? 0, questions, answers }), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    server: `127.0.0.1:${socket.address().port}`,
    asked: (name) => asked.get(`A ${name}`) ?? 0,
    stop: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

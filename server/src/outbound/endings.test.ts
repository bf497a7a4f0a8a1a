/** All ways in which an exchange can end, and an exchange that never ends. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../test/waits.ts'
import { addressesBy } from './addresses.ts'
import { createPost, type Outcome } from './post.ts'

const head = 'HTTP/1.1 200 OK\r\n'

/** Writes a text repeatedly until the sender has closed the connection. */
const dripping =
  (text: string, everyMs: number) =>
  (socket: Socket): void => {
    const timer = setInterval(() => socket.write(text), everyMs)
    socket.once('close', () => clearInterval(timer))
  }

const saying =
  (text: string, then: (socket: Socket) => void = () => undefined) =>
  (socket: Socket): void =>
    void socket.write(text, () => then(socket))

const flooding =
  (text: string) =>
  (socket: Socket): void => {
    const write = () => {
      while (!socket.destroyed && socket.write(text));
    }
    socket.on('drain', write)
    write()
  }

const end = (socket: Socket): void => void socket.end()
const reset = (socket: Socket): void => void socket.resetAndDestroy()

const late = { isTaken: false, status: undefined, error: 'no answer within 10 seconds' }
const unanswered = { isTaken: false, status: undefined, error: 'the connection ended without an answer' }
const broken = { isTaken: false, status: undefined, error: expect.stringMatching(/^the connection failed/) }
const taken = { isTaken: true, status: 200, error: '' }

const switching = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'

const endings: [string, (socket: Socket) => void, Partial<Outcome>][] = [
  ['switches protocols', saying(switching), unanswered],
  ['switches protocols, and goes on', saying(switching, dripping('x', 500)), unanswered],
  ['says 101 without an upgrade', saying('HTTP/1.1 101 x\r\n\r\n'), { isTaken: false, status: 101 }],
  ['tells to go on, and no more', saying('HTTP/1.1 100 Continue\r\n\r\n'), late],
  ['drips early hints', dripping('HTTP/1.1 103 Early Hints\r\n\r\n', 2000), late],
  [
    'floods with early hints',
    flooding('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)),
    { ...late, error: 'too many interim answers came' },
  ],
  [
    'hints, and then answers',
    saying(`HTTP/1.1 103 Early Hints\r\n\r\n${head}content-length: 0\r\n\r\n`),
    taken,
  ],
  ['says nothing', () => undefined, late],
  ['closes without a word', end, broken],
  ['resets without a word', reset, broken],
  ['speaks no HTTP', saying('SSH-2.0-OpenSSH_9.6\r\n'), broken],
  ['drips headers', saying(head, dripping('x: 1\r\n', 500)), late],
  ['floods with headers', saying(head, flooding('x: 1\r\n'.repeat(100))), broken],
  ['ends within the headers', saying(`${head}x: 1`, end), broken],
  ['drips a body', saying(`${head}content-length: 100\r\n\r\n`, dripping('x', 500)), late],
  ['drips a body without length', saying(`${head}\r\n`, dripping('x', 500)), late],
  ['drips chunks', saying(`${head}transfer-encoding: chunked\r\n\r\n`, dripping('1\r\nx\r\n', 500)), late],
  [
    'drips trailers',
    saying(`${head}transfer-encoding: chunked\r\n\r\n0\r\n`, dripping('x: 1\r\n', 500)),
    late,
  ],
  ['ends within the body', saying(`${head}content-length: 100\r\n\r\nx`, end), broken],
  ['resets within the body', saying(`${head}content-length: 100\r\n\r\nx`, reset), broken],
  ['breaks within the chunks', saying(`${head}transfer-encoding: chunked\r\n\r\nzz`), broken],
  ['never ends a body of length 1', saying(`${head}content-length: 1\r\n\r\n`), late],
  ['answers and keeps the connection', saying(`${head}content-length: 0\r\n\r\n`), taken],
  ['answers and closes', saying(`${head}content-length: 0\r\n\r\n`, end), taken],
  ['answers and goes on', saying(`${head}content-length: 2\r\n\r\nokGARBAGE`, dripping('x', 500)), taken],
  ['answers twice', saying(`${head}content-length: 0\r\n\r\n`.repeat(2)), taken],
  ['ends a body without length', saying(`${head}\r\nx`, end), taken],
]

const post = createPost(addressesBy({ privateHosts: ['127.0.0.1'], allowsLoopback: false }))

/** Sends to a receiver that runs `play` after the request has arrived. Resolves when no connection is left. */
const sendTo = async (play: (socket: Socket) => void): Promise<Outcome> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', () => play(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const outcome = await post(`http://127.0.0.1:${port}/`, {}, '{"type":"test"}')
  await eventually(() => expect(sockets.size).toBe(0))
  server.close()
  return outcome
}

describe('the end of an exchange', () => {
  // Runs all exchanges at once, because many of them take 10 seconds.
  const outcomes = new Map<string, Outcome>()
  beforeAll(async () => {
    const sendings = endings.map(async ([name, play]) => outcomes.set(name, await sendTo(play)))
    await Promise.allSettled(sendings)
  }, 120_000)

  test.each(endings)(
    'an exchange has an outcome, and leaves no connection, if the receiver %s',
    (name, _, outcome) => {
      expect(outcomes.get(name)).toMatchObject(outcome)
    },
  )
})

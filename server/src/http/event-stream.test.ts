import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../test/waits.ts'
import { openEventStream, type EventStream } from './event-stream.ts'

const event = { event: 'change', data: { text: 'x'.repeat(10_000) } }

const server = createServer()
let client: Socket
let stream: EventStream
/** The number of bytes that wait in the process for the client. */
let waiting: () => number
let isClosed: boolean

beforeEach(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.pause()
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const [request, raw] = await once(server, 'request')
  const reply = { raw, hijack: () => undefined, getHeaders: () => ({}) }
  stream = openEventStream({ raw: request } as FastifyRequest, reply as unknown as FastifyReply)
  isClosed = false
  stream.onClose(() => {
    isClosed = true
  })
  waiting = () => raw.writableLength
  // The connection itself buffers some megabytes for a client that does not read.
  for (let turns = 0; turns < 5; turns = waiting() > 0 ? turns + 1 : 0) {
    if (waiting() === 0) stream.send(event)
    await sleep(1)
  }
})

afterEach(() => {
  client.destroy()
  server.close()
})

test('a closed stream writes nothing, and drops a client that does not read', async () => {
  stream.close()
  // Nobody would catch a write error, so it would fail the run.
  for (let index = 0; index < 3; index += 1) {
    stream.send(event)
    stream.comment()
    stream.close()
    await sleep(1)
  }
  await eventually(() => expect(isClosed).toBe(true))
})

test('a comment drops a client that has not taken what was sent before', async () => {
  stream.comment()
  await eventually(() => expect(isClosed).toBe(true))
})

test('a stream is drained when the client has taken all bytes', async () => {
  let isDrained = false
  const drained = stream.drained().then(() => {
    isDrained = true
  })
  await sleep(20)
  expect(isDrained).toBe(false)
  client.resume()
  await drained
  expect(waiting()).toBe(0)
})

test('a stream is drained when the client is gone', async () => {
  const drained = stream.drained()
  client.destroy()
  await drained
  await eventually(() => expect(isClosed).toBe(true))
})

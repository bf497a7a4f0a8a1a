import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startNameServer, type NameServer } from '../../../lab/name-server.ts'
import { answering, startReceiver, type Behaviour, type Receiver } from '../../../lab/receiver.ts'
import { addressesBy, resolveBy, type AddressPolicy } from './addresses.ts'
import { createPost } from './post.ts'

const strict: AddressPolicy = { privateHosts: [], allowsLoopback: false }

let names: NameServer
let trap: Receiver
beforeAll(async () => {
  names = await startNameServer({
    'public.test': [['8.8.8.8']],
    'private.test': [['10.0.0.7']],
    'both.test': [['8.8.8.8', '192.168.1.1']],
    'six.test': [['2606:4700::1111', 'fd00::1']],
    'mapped.test': [['::ffff:127.0.0.1']],
    'pair.test': [['8.8.8.8', '127.0.0.1']],
    'reversed.test': [['127.0.0.1', '8.8.8.8']],
    'near.test': [['127.0.0.1'], ['127.0.0.2']],
    'none.test': [[]],
  })
  trap = await startReceiver()
})
afterAll(async () => {
  await names.stop()
  await trap.stop()
})

const receivers: { stop: () => Promise<void> }[] = []
const open = async (behaviour: Behaviour): Promise<Receiver> => {
  const receiver = await startReceiver(behaviour)
  receivers.push(receiver)
  return receiver
}
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()))
})

const postBy = (policy: AddressPolicy) => createPost(addressesBy(policy, resolveBy([names.server])))
const send = (policy: AddressPolicy, url: string) =>
  postBy(policy)(url, { 'content-type': 'application/json' }, '{"type":"test"}')

/** An address with the host as given. Its port belongs to a receiver that must get no request. */
const atTrap = (host: string) => `http://${host}:${new URL(trap.url).port}/`

describe('addresses', () => {
  const find = (policy: AddressPolicy, host: string) =>
    addressesBy(policy, resolveBy([names.server]))(new URL(`http://${host}/`).hostname)

  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '2130706433',
    '0177.0.0.1',
    '0x7f.1',
    '0x7f000001',
    '017700000001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    '127.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '192.88.99.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:10.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::8.8.8.8]',
    '[2002:7f00:1::]',
    '[2001:0:1::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[fc00::1]',
    '[fd12::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[100::1]',
    '[4000::1]',
    '[5f00::1]',
    '[::8.8.8.8]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[2001::7f00:1]',
    'localhost',
    'a.localhost',
    'private.test',
    'both.test',
    'six.test',
    'mapped.test',
    'none.test',
  ])('%s is refused', async (host) => {
    await expect(find(strict, host)).rejects.toThrow(/not public|no address/)
  })

  test.each([
    '8.8.8.8',
    '134744072',
    '[2606:4700::1111]',
    '[::ffff:8.8.8.8]',
    '[64:ff9b::8.8.8.8]',
    'public.test',
  ])('%s is allowed', async (host) => {
    expect(await find(strict, host)).toHaveLength(1)
  })

  test('a host that the operator has named is allowed: by name, by address and by range', async () => {
    const named = { ...strict, privateHosts: ['localhost', '10.0.0.7', '192.168.0.0/16', 'fd00::/8'] }
    expect(await find(named, 'localhost')).not.toEqual([])
    expect(await find(named, 'private.test')).toEqual(['10.0.0.7'])
    expect(await find(named, '[::ffff:192.168.3.4]')).toHaveLength(1)
    expect(await find(named, 'six.test')).toHaveLength(2)
    await expect(find(named, '10.0.0.8')).rejects.toThrow('not public')
    await expect(find(named, '127.0.0.1')).rejects.toThrow('not public')
  })

  test('loopback is allowed where the policy says so, and no other private address with it', async () => {
    const near = { ...strict, allowsLoopback: true }
    expect(await find(near, '127.0.0.1')).toEqual(['127.0.0.1'])
    expect(await find(near, '[::ffff:127.0.0.1]')).toHaveLength(1)
    await expect(find(near, '10.0.0.1')).rejects.toThrow('not public')
  })
})

describe('sending', () => {
  const near: AddressPolicy = { privateHosts: ['127.0.0.0/8'], allowsLoopback: false }

  test('nothing is sent to a refused address, however it is written', async () => {
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0177.1',
      '[::ffff:127.0.0.1]',
      'mapped.test',
      'pair.test',
      'reversed.test',
      'localhost',
    ]) {
      const outcome = await send(strict, atTrap(host))
      expect([host, outcome.isTaken, outcome.status]).toEqual([host, false, undefined])
    }
    expect(trap.received).toEqual([])
  })

  test('the address that was checked is connected to: a name is looked up once, and judged again at the next look-up', async () => {
    const receiver = await open(answering(200))
    const one: AddressPolicy = { privateHosts: ['127.0.0.1'], allowsLoopback: false }
    const url = receiver.url.replace('127.0.0.1', 'near.test')
    expect(await send(one, url)).toMatchObject({ isTaken: true, status: 200, answer: 'status 200' })
    expect(names.asked('near.test')).toBe(1)
    expect(receiver.received[0]?.headers.host).toMatch(/^near\.test:/)
    const later = await send(one, url)
    expect(later).toMatchObject({ isTaken: false, error: 'the host has an address that is not public' })
    expect(names.asked('near.test')).toBe(2)
    expect(receiver.received).toHaveLength(1)
  })

  test('a redirect is an answer like any other: it is not followed', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const receiver = await open(answering(status, { location: trap.url }))
      expect(await send(near, receiver.url)).toMatchObject({ isTaken: false, status })
    }
    expect(trap.received).toEqual([])
  })

  test('variables that name a proxy are ignored', async () => {
    const receiver = await open(answering(204))
    onTestFinished(() => void vi.unstubAllEnvs())
    for (const name of ['HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, trap.url)
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    expect(await send(near, receiver.url)).toMatchObject({ isTaken: true })
    expect(trap.received).toEqual([])
  })

  test('the sender reads at most 64 kB of an answer, and shows 1 kB', async () => {
    let written = 0
    const closed = Promise.withResolvers<void>()
    const receiver = await open((_request, response) => {
      response.writeHead(200)
      response.on('close', closed.resolve)
      const write = () => {
        while (written < 10_000_000 && !response.destroyed) {
          written += 10_000
          if (!response.write('x'.repeat(10_000))) return void response.once('drain', write)
        }
      }
      write()
    })
    const outcome = await send(near, receiver.url)
    await closed.promise
    expect(outcome).toMatchObject({ isTaken: true, status: 200, answer: 'x'.repeat(1024) })
    expect(written).toBeLessThan(10_000_000)
  })

  test('a receiver that nobody listens at, and a certificate that nobody knows, are failures', async () => {
    expect(await send(near, 'http://127.0.0.1:1/')).toMatchObject({
      error: 'the connection failed: ECONNREFUSED',
    })
    const receiver = await open(answering(200))
    const outcome = await send(near, receiver.url.replace('http:', 'https:'))
    expect(outcome).toMatchObject({ isTaken: false, status: undefined })
    expect(receiver.received).toEqual([])
  })
})

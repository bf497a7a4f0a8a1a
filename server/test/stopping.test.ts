/** Docker kills a process ten seconds after SIGTERM: the service has ended by then, whatever hangs. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import type { Replica } from '../../lab/replica.ts'
import { ask, createStores, endAll, start } from './programs.ts'
import { startReceiver } from '../../lab/receiver.ts'
import { startSlowMailServer } from './slow-mail-server.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import { endsWithin, eventually } from './waits.ts'

const password = 'correct horse battery'
const admin = { email: 'root@example.com', password }

afterAll(endAll)

/** The same environment with a proxy before each store, which the test can freeze. */
const throughProxies = async (env: Record<string, string>) => {
  const proxies: TcpProxy[] = []
  const through = { ...env }
  for (const name of ['DATABASE_URL', 'REDIS_URL'].filter((one) => env[one])) {
    const url = new URL(env[name] ?? '')
    const proxy = await startTcpProxy(Number(url.port || (name === 'REDIS_URL' ? 6379 : 5432)), url.hostname)
    proxies.push(proxy)
    url.host = `127.0.0.1:${proxy.port}`
    through[name] = url.href
  }
  return { env: through, proxies }
}

/** A request whose body never comes. */
const beginRequest = async ({ url }: Replica): Promise<void> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const head = ['POST /api/v1/auth/login HTTP/1.1', 'Host: x', 'Content-Type: application/json']
  socket.write(`${head.join('\r\n')}\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n`)
  await once(socket, 'data')
}

test('the service ends within 10 seconds of SIGTERM while e-mails, webhooks, requests, a stream and its stores hang', async () => {
  const stores = await createStores()
  const { env, proxies } = await throughProxies(stores.env)
  const mails = await startSlowMailServer('RCPT')
  const receiver = await startReceiver()
  const program = await start({
    ...env,
    TENANTRY_ADMIN_EMAIL: admin.email,
    TENANTRY_ADMIN_PASSWORD: password,
    SMTP_URL: mails.url,
    TENANTRY_MAIL_FROM: 'tenantry@example.com',
    TENANTRY_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
  })
  const signedIn = await ask(program, 'POST /auth/login', { body: admin })
  const token = signedIn.body.data.access_token as string
  const stream = await fetch(`${program.url}/api/v1/events/stream`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(stream.status).toBe(200)
  const hook = { url: receiver.url, events: ['*'] }
  const { id } = (await ask(program, 'POST /webhooks', { token, body: hook })).body.data
  expect((await ask(program, `POST /webhooks/${id}/test`, { token })).body.data.status).toBe(204)
  receiver.behave(() => {})
  const account = { email: 'ada@example.com', username: 'ada-lovelace', password }
  expect((await ask(program, 'POST /auth/register', { body: account })).status).toBe(200)
  await ask(program, 'POST /auth/password/forgot', { body: { email: account.email } })
  await eventually(() => expect(mails.slow()).toBeGreaterThan(0))
  await eventually(() => expect(receiver.events().length).toBeGreaterThan(0))
  await beginRequest(program)
  for (const proxy of proxies) proxy.freeze()

  let code: number | null = null
  const end = async () => {
    code = await program.end('SIGTERM')
  }
  const isInTime = await endsWithin(10_000, end)
  expect([isInTime, code]).toEqual([true, 0])
  for (const proxy of proxies) proxy.close()
  mails.stop()
  await receiver.stop()
  await stores.remove()
})

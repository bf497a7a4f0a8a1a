/** Deliveries are verified by the SDK, and the receiver of the README runs against a live service. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Webhook as Signer } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../lab/processes.ts'
import type { Replica } from '../../lab/replica.ts'
import { ask, createStores, endAll, start, type Stores } from '../../server/test/programs.ts'
import { createClient, verifyWebhook } from '../src/client.ts'
import { installPackage, type Project } from './package.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const body = JSON.stringify({ type: 'user.create', timestamp: '2026-01-31T09:30:00.000Z', data: { id: 812 } })

const headersBy = (signer: string, at = new Date(), text = body) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Signer(signer).sign('msg_1', at, text),
})

describe('verifyWebhook', () => {
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`

  test('gives the event of a delivery that standardwebhooks has signed, in each form of headers and body', async () => {
    const headers = headersBy(secret)
    const event = { type: 'user.create', timestamp: '2026-01-31T09:30:00.000Z', data: { id: 812 } }
    expect(await verifyWebhook(headers, body, secret)).toEqual(event)
    expect(await verifyWebhook(new Headers(headers), new TextEncoder().encode(body), secret)).toEqual(event)
  })

  test('takes a delivery with two signatures by either secret', async () => {
    const headers = headersBy(secret)
    headers['webhook-signature'] += ` ${headersBy(other)['webhook-signature']}`
    expect(await verifyWebhook(headers, body, secret)).toMatchObject({ type: 'user.create' })
    expect(await verifyWebhook(headers, body, other)).toMatchObject({ type: 'user.create' })
  })

  const minutes = (count: number) => new Date(Date.now() + count * 60_000)

  test.each([
    ['another secret', headersBy(other), body],
    ['another body', headersBy(secret), body.replace('812', '813')],
    ['another id', { ...headersBy(secret), 'webhook-id': 'msg_2' }, body],
    ['an old time', headersBy(secret, minutes(-6)), body],
    ['a time to come', headersBy(secret, minutes(6)), body],
    ['no time', { ...headersBy(secret), 'webhook-timestamp': 'now' }, body],
    ['no signature', { ...headersBy(secret), 'webhook-signature': '' }, body],
    ['an asymmetric signature', { ...headersBy(secret), 'webhook-signature': 'v1a,AAAA' }, body],
    ['a signature that is no base64', { ...headersBy(secret), 'webhook-signature': 'v1,%%%' }, body],
    ['no headers', {}, body],
  ])('refuses a delivery with %s', async (_name, headers, text) => {
    await expect(verifyWebhook(headers, text, secret)).rejects.toMatchObject({ name: 'WebhookInvalid' })
  })

  test('refuses a text that is no secret of a webhook', async () => {
    await expect(verifyWebhook(headersBy(secret), body, 'tnt_1')).rejects.toThrow(TypeError)
  })
})

describe('the receiver of the README', () => {
  const code = /```js not-run: client\/test\/webhook[^\n]*\n([\s\S]*?)```/.exec(
    readFileSync(new URL('../README.md', import.meta.url), 'utf8'),
  )?.[1]
  let project: Project
  let stores: Stores
  let program: Replica
  beforeAll(async () => {
    project = await installPackage()
    stores = await createStores()
    program = await start({
      ...stores.env,
      TENANTRY_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
      TENANTRY_FIRST_USER_ADMIN: 'true',
    })
  })
  afterAll(async () => {
    await program.end('SIGINT')
    await stores.remove()
    endAll()
  })

  test('prints the creation of a user at once', async () => {
    expect(code?.trimEnd().split('\n').length).toBeLessThanOrEqual(20)
    const account = { email: 'root@example.com', username: 'root', password: 'correct horse battery' }
    await ask(program, 'POST /auth/register', { body: account })
    const client = createClient({ baseUrl: program.url })
    await client.auth.login({ email: account.email, password: account.password })
    const port = await freePort()
    const hook = await client.webhooks.create({ url: `http://127.0.0.1:${port}/`, events: ['user.*'] })
    project.write('receiver.js', code ?? '')
    const receiver = spawn(process.execPath, ['receiver.js'], {
      cwd: project.folder,
      env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: hook.secret },
    })
    let printed = ''
    receiver.stdout.on('data', (text: Buffer) => (printed += text.toString()))
    await expect.poll(async () => (await client.webhooks.test(hook.id)).status).toBe(204)
    const { id } = await client.users.create({
      email: 'ada@example.com',
      username: 'ada',
      password: account.password,
    })
    // Usually a second: the seal takes up to one.
    await expect.poll(() => printed).toContain(`user.create ${id}\n`)
    receiver.kill()
  })
})

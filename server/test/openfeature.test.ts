/** The SDKs of OpenFeature as products use them: the providers know only the address and a credential. */
import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature as ServerFeature } from '@openfeature/server-sdk'
import { OpenFeature as WebFeature, ProviderEvents, type Provider } from '@openfeature/web-sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtIn, keyWith, newTenant, ok, platformAdmin, unique, type Caller } from './factories.ts'
import { makeFlag } from './flags.ts'
import { newApplication } from './front-door.ts'
import { service, startApp, type Running } from './harness.ts'

let backend: Caller
let user: Caller

beforeAll(async () => {
  backend = await keyWith(builtIn.id, ['flag:evaluate'])
  user = (await newTenant()).admin
})

afterAll(async () => {
  await ServerFeature.close()
  await WebFeature.close()
})

const goldRule = { conditions: [{ attribute: 'plan', op: 'in', values: ['gold'] }], serve: 'on' }

test('the server SDK gets values of every type, reasons and errors', async () => {
  const headers: [string, string][] = [['X-API-Key', backend.token]]
  const domain = unique()
  await ServerFeature.setProviderAndWait(domain, new OFREPProvider({ baseUrl: service.url, headers }))
  const client = ServerFeature.getClient(domain)
  const only = (value: unknown) => ({
    variants: { only: value },
    off_variant: 'only',
    default_variant: 'only',
  })
  const gold = await makeFlag({ rules: [goldRule] })
  expect(await client.getBooleanDetails(gold, false, { plan: 'gold' })).toMatchObject({
    value: true,
    variant: 'on',
    reason: 'TARGETING_MATCH',
    flagMetadata: { version: 1 },
  })
  expect(await client.getBooleanDetails(gold, true, {})).toMatchObject({ value: false, reason: 'DEFAULT' })
  const text = await makeFlag({ type: 'string', ...only('Grüße') })
  expect(await client.getStringValue(text, '')).toBe('Grüße')
  const number = await makeFlag({ type: 'number', ...only(1.5) })
  expect(await client.getNumberValue(number, 0)).toBe(1.5)
  const object = await makeFlag({ type: 'object', ...only({ a: [1] }) })
  expect(await client.getObjectValue(object, {})).toEqual({ a: [1] })
  expect(await client.getBooleanDetails('none', true)).toMatchObject({ errorCode: 'FLAG_NOT_FOUND' })
  expect(await client.getBooleanDetails(text, true)).toMatchObject({ errorCode: 'TYPE_MISMATCH' })
  const half = [
    { variant: 'on', weight: 50_000 },
    { variant: 'off', weight: 50_000 },
  ]
  const split = await makeFlag({ rules: [{ split: half }] })
  expect(await client.getBooleanDetails(split, true)).toMatchObject({ errorCode: 'TARGETING_KEY_MISSING' })
  expect(await client.getBooleanDetails(split, true, { targetingKey: 'ada' })).toMatchObject({
    reason: 'SPLIT',
  })
})

const webClient = async (at: Running, context: object, fields: object = {}) => {
  const domain = unique()
  const provider = new OFREPWebProvider({
    baseUrl: at.url,
    headers: [['Authorization', `Bearer ${user.token}`]],
    pollInterval: 50,
    changeDetection: 'polling',
    cacheMode: 'disabled',
    ...fields,
  })
  // The provider is typed without exactOptionalPropertyTypes.
  await WebFeature.setProviderAndWait(domain, provider as Provider, context as Record<string, string>)
  return { domain, client: WebFeature.getClient(domain) }
}

test('the web SDK hears of a change by asking again, and gets other values for another context', async () => {
  const flag = await makeFlag({ client_side: true, rules: [goldRule] })
  const hidden = await makeFlag()
  const { client, domain } = await webClient(service, { plan: 'silver' })
  expect(client.getBooleanDetails(flag, true)).toMatchObject({ value: false, reason: 'DEFAULT' })
  expect(client.getBooleanDetails(hidden, true)).toMatchObject({ errorCode: 'FLAG_NOT_FOUND' })
  await WebFeature.setContext(domain, { plan: 'gold' })
  expect(client.getBooleanDetails(flag, false)).toMatchObject({ value: true, reason: 'TARGETING_MATCH' })
  const changed = new Promise((resolve) => client.addHandler(ProviderEvents.ConfigurationChanged, resolve))
  ok(await (await platformAdmin()).put(`/flags/${flag}`, { enabled: false }))
  await changed
  expect(client.getBooleanDetails(flag, true)).toMatchObject({ value: false, reason: 'DISABLED' })
})

test('the web SDK keeps its values while the server is away', async () => {
  const flag = await makeFlag({ client_side: true, default_variant: 'on' })
  const at = await startApp()
  const { client } = await webClient(at, {})
  const stale = new Promise((resolve) => client.addHandler(ProviderEvents.Stale, resolve))
  await at.app.close()
  await stale
  expect(client.getBooleanValue(flag, false)).toBe(true)
})

test('the web SDK works from the page of a browser application, and from no other origin', async () => {
  const page = 'https://shop.example.com'
  await newApplication({ kind: 'browser', allowed_origins: [page] })
  const flag = await makeFlag({ client_side: true, default_variant: 'on' })
  const headers = { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' }
  const from = async (origin: string) => {
    const url = `${service.url}/ofrep/v1/evaluate/flags/${flag}`
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin } })
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, origin },
      body: '{"context":{}}',
    })
    return [preflight, answer].map((one) => one.headers.get('access-control-allow-origin'))
  }
  expect(await from(page)).toEqual([page, page])
  expect(await from('https://evil.example.com')).toEqual([null, null])
})

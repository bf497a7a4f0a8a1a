/** An application of the tests: it sends people to the sign-in, and gets the answer. */
import { createHash, randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { listen } from '../../lab/receiver.ts'
import { ok, platformAdmin, unique } from '../../server/test/factories.ts'
import { service } from '../../server/test/harness.ts'

type Params = Record<string, string>

export interface Shop {
  name: string
  clientId: string
  /** "" for a public one. */
  secret: string
  /** The host of its own, as the pages show it. */
  host: string
  /** Leads a page to the sign-in, as a link of the application would. */
  send: (page: Page, params?: Params, at?: string) => Promise<unknown>
  /** The parameters of the newest answer. */
  answer: () => Params
}

/** Registers an application, and serves its callback. */
export const openShop = async (fields: object = {}): Promise<Shop> => {
  let answered: Params = {}
  const listener = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    if (pathname === '/callback') answered = Object.fromEntries(searchParams)
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><html lang="en"><title>Shop</title><h1>Welcome to the shop</h1></html>`)
  })
  onTestFinished(listener.stop)
  const name = `Shop ${unique()}`
  const root = await platformAdmin()
  const application = ok(
    await root.post('/applications', {
      name,
      kind: 'web',
      redirect_uris: [`${listener.url}/callback`],
      home_url: `${listener.url}/`,
      ...fields,
    }),
  )
  const challenge = createHash('sha256').update(randomBytes(32).toString('base64url')).digest('base64url')
  return {
    name,
    clientId: application.client_id,
    secret: application.secret ?? '',
    host: new URL(listener.url).host,
    send: (page, params = {}, at = service.url) => {
      const query = new URLSearchParams({
        client_id: application.client_id,
        response_type: 'code',
        redirect_uri: `${listener.url}/callback`,
        scope: 'openid',
        state: 'the state',
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...params,
      })
      return page.goto(`${at}/oauth2/authorize?${query.toString()}`)
    },
    answer: () => answered,
  }
}

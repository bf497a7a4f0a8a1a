/** Closed ways, and the last way of a person. */
import { setTimeout as sleep } from 'node:timers/promises'
import { beginForConsole, openBrowser } from '../../../lab/browser.ts'
import { newTenant, ok, request, type Session } from '../../../lab/client.ts'
import { refuteNothing } from '../../attack.ts'
import { addApp } from '../../second-factor.ts'
import type { Prove } from '../../suite.ts'
import { anyone, logIn, newPerson, password, type Stage } from '../people/stage.ts'
import { addIdentity, goTo, personOf, tokenAfter, type OpenProvider } from './providers.ts'

/** A session that ends at one replica is refused at the others within this time (docs/contract.md). */
const boundMs = 2000

const requireEnded = async (urls: string[], token: string): Promise<string[]> => {
  const deadline = Date.now() + boundMs
  const living: string[] = []
  for (const url of urls) {
    const read = async () => (await request(url, 'GET', '/api/v1/profile', { token })).status
    let status = await read()
    for (; status !== 401 && Date.now() < deadline; status = await read()) await sleep(20)
    if (status !== 401) living.push(`a session goes on at ${url}`)
  }
  return living
}

/** The provider of a person is closed in the tenant. */
const closedProvider = async (stage: Stage, provider: OpenProvider, admin: Session): Promise<string[]> => {
  const [url = ''] = stage.urls
  const user = await newPerson({ ...stage, home: { admin } })
  const person = personOf(user.email)
  await addIdentity(stage, provider, user, person)
  const went = await goTo(url, provider, person)
  const token = (await tokenAfter(went.browser, await went.browser.open(went.answer))) ?? ''
  ok(await admin.call('PUT', '/settings/tenant/auth.ways', { value: { providers: [] } }))
  const breaches = await requireEnded(stage.urls, token)
  const again = await goTo(url, provider, person)
  if (await tokenAfter(again.browser, await again.browser.open(again.answer))) {
    breaches.push('a closed provider lets in')
  }
  const remembered = await beginForConsole(openBrowser(url, new Map(went.browser.cookies)))
  if (remembered.location.includes('code=')) breaches.push('a remembered sign-in lets in')
  return breaches
}

/** Passwords are closed in the tenant. */
const closedPassword = async (stage: Stage, { tenantId, ...admin }: Session): Promise<string[]> => {
  const value = { password: false }
  const user = await newPerson({ ...stage, home: { admin: { tenantId, ...admin } } })
  const breaches: string[] = []
  const own = await admin.call('PUT', '/settings/tenant/auth.ways', { value })
  if (own.status !== 400) breaches.push(`an administrator closes their own way: ${own.status}`)
  ok(await stage.root.call('PUT', '/settings/tenant/auth.ways', { value }, { tenant: tenantId }))
  breaches.push(...(await requireEnded(stage.urls, user.token)))
  const tries = [
    ['a password', await logIn(stage, user.email, password)],
    ['a refresh', await anyone(stage, '/auth/refresh', { refresh_token: user.refreshToken })],
  ] as const
  for (const [what, { status }] of tries) {
    if (status !== 401) breaches.push(`${what} of a closed way answers ${status}`)
  }
  return breaches
}

const doors = async (stage: Stage, provider: OpenProvider): Promise<string> => {
  const { admin } = await newTenant(stage.root)
  await addApp(admin)
  refuteNothing([...(await closedProvider(stage, provider, admin)), ...(await closedPassword(stage, admin))])
  return 'a provider and passwords, by sign-in, session, refresh and remembered sign-in'
}

/** Removes identities of the session, all at once. Returns the statuses. */
const removeAll = async ({ urls }: Stage, token: string): Promise<number[]> => {
  const [url = ''] = urls
  const identities = ok(await request(url, 'GET', '/api/v1/auth/identities', { token })) as { id: string }[]
  const removals = identities.map(({ id }, at) =>
    request(urls[at % urls.length] ?? '', 'POST', `/api/v1/auth/identities/${id}/remove`, {
      token,
      body: { password },
    }),
  )
  return (await Promise.all(removals)).map(({ status }) => status)
}

/** The tokens of a person in a new tenant, whose two identities are the only ways that stay open. */
const lastTokens = async (stage: Stage, provider: OpenProvider): Promise<string[]> => {
  const { id: tenant, admin } = await newTenant(stage.root)
  const user = await newPerson({ ...stage, home: { admin } })
  const tokens: string[] = []
  for (const person of [personOf(user.email), personOf(user.email)]) {
    await addIdentity(stage, provider, user, person)
    const { browser, answer } = await goTo(stage.urls[0] ?? '', provider, person)
    tokens.push((await tokenAfter(browser, await browser.open(answer))) ?? '')
  }
  const value = { password: false, passkey: false, email_code: false }
  ok(await stage.root.call('PUT', '/settings/tenant/auth.ways', { value }, { tenant }))
  return tokens
}

/** The statuses of removals of what is left, by the sessions that still live. */
const removeRest = async (stage: Stage, tokens: string[]): Promise<number[]> => {
  const statuses: number[] = []
  for (const token of tokens) {
    const { status } = await request(stage.urls[0] ?? '', 'GET', '/api/v1/profile', { token })
    if (status === 200) statuses.push(...(await removeAll(stage, token)))
  }
  return statuses
}

/** A person removes both identities at once, and then the last one. */
const lastWays = async (stage: Stage, provider: OpenProvider): Promise<string> => {
  const rounds = stage.short ? 2 : 10
  for (let round = 0; round < rounds; round += 1) {
    const tokens = await lastTokens(stage, provider)
    const removed = await removeAll(stage, tokens[0] ?? '')
    const then = await removeRest(stage, tokens)
    const won = removed.filter((status) => status === 200).length
    if (won !== 1 || then.join(' ') !== '400') {
      throw new Error(`removals at once answer ${removed.join(' ')}, then ${then.join(' ')}`)
    }
  }
  return `${rounds} people, whose last two identities are removed at once`
}

export const proveClosed = async (stage: Stage, provider: OpenProvider, record: Prove): Promise<void> => {
  await record('a closed way lets nobody in, and ends its sessions at once', () => doors(stage, provider))
  await record('nobody takes their own last way', () => lastWays(stage, provider))
}

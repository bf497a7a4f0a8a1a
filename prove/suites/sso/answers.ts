/** Answers of providers of OpenID Connect, honest and not, and the sessions that they open. */
import { openBrowser, type Browser } from '../../../lab/browser.ts'
import { newUser, ok, request, unique } from '../../../lab/client.ts'
import { password, refuteNothing } from '../../attack.ts'
import type { Prove } from '../../suite.ts'
import type { Provider } from './provider.ts'
import { personAt, returnOf, startSso, statusAt, through, tokenAfter, type Stage } from './stage.ts'

const foreignAddresses = async ({ home, foreign, urls: [url = ''] }: Stage): Promise<string> => {
  const emails = [
    `a@${foreign.domain}`,
    `a@sub.${home.domain}`,
    `a@${unique('d')}.example`,
    foreign.admin.email,
    '',
    'no address',
  ]
  const breaches: string[] = []
  for (const email of emails) {
    const browser = openBrowser(url)
    const token = await tokenAfter(browser, await through(browser, home, personAt(home, { email })))
    if (token) breaches.push(`${email} is let in`)
  }
  refuteNothing(breaches)
  return `${emails.length} addresses`
}

const addressOfAdministrator = async ({ home, root, urls: [url = ''] }: Stage): Promise<string> => {
  const breaches: string[] = []
  const email = `${unique('admin')}@${home.domain}`
  ok(
    await root.call(
      'POST',
      '/users',
      { email, username: unique('a'), password },
      { tenant: home.admin.tenantId },
    ),
  )
  const browser = openBrowser(url)
  const token = await tokenAfter(browser, await through(browser, home, personAt(home, { email })))
  if (token) breaches.push('an account with a password is linked without a proof of it')
  refuteNothing(breaches)
  return 'a user with a password'
}

const lies = async ({ home, foreign, urls: [url = ''] }: Stage): Promise<string> => {
  const { provider } = home
  const told: [string, Partial<Pick<Provider, 'lies' | 'isForging'>>][] = [
    ['another issuer', { lies: { iss: foreign.provider.issuer } }],
    ['another audience', { lies: { aud: 'another' } }],
    ['another nonce', { lies: { nonce: 'another' } }],
    ['a token of yesterday', { lies: { exp: 1 } }],
    ['a key that is not published', { isForging: true }],
  ]
  const breaches: string[] = []
  for (const [name, lie] of told) {
    Object.assign(provider, lie)
    const browser = openBrowser(url)
    const token = await tokenAfter(browser, await through(browser, home, personAt(home)))
    if (token) breaches.push(`${name} counts`)
    Object.assign(provider, { lies: {}, isForging: false })
  }
  refuteNothing(breaches)
  return `${told.length} lies`
}

const replays = async ({ home, foreign, urls }: Stage): Promise<string> => {
  const [url = ''] = urls
  const breaches: string[] = []
  const browser = openBrowser(url)
  const answer = await returnOf(browser, home, personAt(home))
  const elsewhere: [string, Browser, string][] = [
    ['another browser', openBrowser(url), answer],
    ['another connection', browser, answer.replace(home.connectionId, foreign.connectionId)],
  ]
  for (const [name, other, path] of elsewhere) {
    if (await tokenAfter(other, await other.open(path))) breaches.push(`${name} takes an answer`)
  }
  if (!(await tokenAfter(browser, await browser.open(answer)))) breaches.push('an honest answer is refused')
  for (const at of urls) {
    const again = openBrowser(at, browser.cookies)
    if ((await again.open(answer)).status === 303) breaches.push(`an answer counts again at ${at}`)
  }
  refuteNothing(breaches)
  return `${elsewhere.length} thefts, and a replay at ${urls.length} replicas`
}

const reach = async ({ home, foreign, urls: [url = ''] }: Stage): Promise<string> => {
  const browser = openBrowser(url)
  const token = (await tokenAfter(browser, await through(browser, home, personAt(home)))) ?? ''
  const questions: [string, string, object?][] = [
    ['POST', '/auth/switch', { tenant_id: foreign.admin.tenantId }],
    ['POST', '/password', { old_password: 'any', new_password: password }],
    ['POST', '/auth/account/export', { password }],
    ['POST', '/auth/factors/totp', { name: 'any', password }],
    ['POST', '/auth/invitations/accept', { token: 'any', username: 'any' }],
  ]
  const breaches: string[] = []
  for (const [method, path, body] of questions) {
    const answer = await request(url, method, `/api/v1${path}`, { token, ...(body && { body }) })
    if (answer.body.code !== 40360) breaches.push(`${method} ${path} answers ${answer.text.slice(0, 80)}`)
  }
  const other = await request(url, 'GET', '/api/v1/users', { token, tenant: foreign.admin.tenantId })
  if (other.status !== 403) breaches.push(`another tenant answers ${other.status}`)
  refuteNothing(breaches)
  return `${questions.length} endpoints, and another tenant`
}

const ends = async ({ home, urls }: Stage): Promise<string> => {
  const [url = ''] = urls
  const breaches: string[] = []
  const [browser, person] = [openBrowser(url), personAt(home)]
  const token = (await tokenAfter(browser, await through(browser, home, person))) ?? ''
  for (const at of urls) {
    if ((await statusAt(at, token)) !== 200) breaches.push(`the session is not known at ${at}`)
  }
  ok(await home.admin.call('PUT', `/connections/${home.connectionId}`, { status: 'disabled' }))
  for (const at of urls) {
    if ((await statusAt(at, token)) !== 401) breaches.push(`the session goes on at ${at}`)
  }
  const again = await startSso(openBrowser(url), home.connectionId)
  if (again.status === 303) breaches.push('a disabled connection begins a sign-in')
  refuteNothing(breaches)
  return `${urls.length} replicas`
}

const clerks = async ({ home, names }: Stage): Promise<string> => {
  const clerk = await newUser(home.admin)
  const permissions: { id: number; code: string }[] = ok(await home.admin.call('GET', '/rbac/permissions'))
  const ids = permissions
    .filter(({ code }) => code.startsWith('sso:') || code.startsWith('setting:'))
    .map(({ id }) => id)
  const { id } = ok(await home.admin.call('POST', '/rbac/roles', { name: unique('clerk') }))
  ok(await home.admin.call('PUT', `/rbac/roles/${id}/permissions`, { permission_ids: ids }))
  ok(await home.admin.call('POST', `/rbac/users/${clerk.userId}/roles`, { role_id: id }))
  const at = `/connections/${home.connectionId}`
  const questions: [string, string, object?][] = [
    ['POST', '/domains', { domain: `${unique('d')}.example.com` }],
    ['PUT', at, { jit: false }],
    ['DELETE', at],
    ['POST', `${at}/test`],
    ['DELETE', `/users/${home.admin.userId}/sso`],
    ['PUT', `/users/${clerk.userId}/sso-exemption`, { exempt: true }],
  ]
  const breaches: string[] = []
  for (const [method, path, body] of questions) {
    const { status } = await clerk.call(method, path, body)
    if (status !== 403) breaches.push(`${method} ${path} answers ${status}`)
  }
  refuteNothing(breaches)
  return `${questions.length} changes (${Object.keys(names.texts).length} records of DNS)`
}

export const proveAnswers = async (stage: Stage, prove: Prove): Promise<void> => {
  await prove('a connection brings nobody with an address beyond its domains', () => foreignAddresses(stage))
  await prove('an account is linked after a proof of it alone', () => addressOfAdministrator(stage))
  await prove('a token that was not made for this sign-in counts for nothing', () => lies(stage))
  await prove('an answer counts once, in the browser that began, at its connection', () => replays(stage))
  await prove('a session of a connection reaches its tenant, and not the account', () => reach(stage))
  await prove('nobody without rank changes who signs in', () => clerks(stage))
  await prove('a disabled connection ends its sessions at every replica', () => ends(stage))
}

/** Setup links: the mailbox that opens one, what its guests reach, and until when. */
import { randomUUID } from 'node:crypto'
import { newTenant, newUser, ok, request, roleId, type Answer, type Session } from '../../../lab/client.ts'
import { assign, refuteNothing } from '../../attack.ts'
import { awaitMail, mailsTo } from '../../mailbox.ts'
import { readOperations, requestOf, type Ids, type Kind, type Operation } from '../../operations.ts'
import type { Prove } from '../../suite.ts'
import { anyone, newAddress, unlessCode, type Stage, type Tenant } from '../people/stage.ts'
import type { Provider } from '../sso/provider.ts'

const codes = { permissionMissing: 40301, linkDead: 40018, tokenInvalid: 40102, emailCodeWrong: 40111 }
const parts = ['domains', 'connection', 'directory'] as const

interface Link {
  id: string
  email: string
  token: string
}

/** Sends a link, and reads it in the mailbox. */
const send = async ({ mailbox }: Stage, maker: Session, fields: object = {}): Promise<Link> => {
  const email = newAddress()
  const { id } = ok(await maker.call('POST', '/setup-links', { email, parts, ...fields }))
  const token = await awaitMail(`a setup link to ${email}`, async () => {
    const mails = await mailsTo(mailbox, email)
    return mails.flatMap((source) => /\/setup#token=([\w-]{64})/.exec(source)?.[1] ?? [])[0]
  })
  return { id, email, token }
}

/** A challenge of a link, with the code that its mailbox gets. */
const openLink = async (stage: Stage, { email, token }: Link) => {
  const { challenge } = ok(await anyone(stage, '/setup/open', { token }))
  const code = await awaitMail(`a code to ${email}`, async () => {
    const mails = await mailsTo(stage.mailbox, email)
    return mails.flatMap((source) => /^(\d{6})\r?$/m.exec(source)?.[1] ?? []).at(-1)
  })
  return { token, challenge, code }
}

/** The token of a guest. */
const enter = async (stage: Stage, link: Link): Promise<string> =>
  ok(await anyone(stage, '/setup/enter', await openLink(stage, link))).token

const draftOf = ({ issuer }: Provider) => ({
  type: 'oidc',
  name: 'Entra ID',
  issuer,
  client_id: 'tenantry',
  client_secret: 'any',
})

const mailboxes = async (stage: Stage): Promise<string> => {
  const { admin } = await newTenant(stage.root)
  const [own, other] = [await send(stage, admin), await send(stage, admin)]
  const { token, challenge, code } = await openLink(stage, own)
  const { challenge: foreign } = await openLink(stage, other)
  const wrong = code === '000000' ? '000001' : '000000'
  const tries: [string, object][] = [
    ['a code for another link', { token: other.token, challenge, code }],
    ['a code for another challenge', { token, challenge: foreign, code }],
    ['a wrong code', { token, challenge, code: wrong }],
  ]
  const breaches: string[] = []
  for (const [what, body] of tries) {
    breaches.push(...unlessCode(what, await anyone(stage, '/setup/enter', body), codes.emailCodeWrong))
  }
  const uses = await Promise.all(
    Array.from({ length: 6 }, () => anyone(stage, '/setup/enter', { token, challenge, code })),
  )
  const entered = uses.filter(({ status }) => status === 200).length
  if (entered !== 1) breaches.push(`a code lets in ${entered} guests`)
  refuteNothing(breaches)
  return `${tries.length} codes that count for something else, and one used six times at once`
}

/** The operations that serve a guest with every part. */
const served = new Set([
  'GET /api/v1/domains',
  'POST /api/v1/domains',
  'POST /api/v1/domains/{id}/verify',
  'DELETE /api/v1/domains/{id}',
  'GET /api/v1/connections',
  'GET /api/v1/connections/{id}',
  'POST /api/v1/connections',
  'PUT /api/v1/connections/{id}',
  'DELETE /api/v1/connections/{id}',
  'POST /api/v1/connections/{id}/test',
  'GET /api/v1/connections/{id}/attempts',
  'POST /api/v1/setup/directory',
])

const uuids = new Set<Kind>(['session', 'factor', 'tenant', 'secret'])

/** Ids of nothing, of every kind. */
const strange = new Proxy({} as Ids, {
  get: (_, kind) => (uuids.has(kind as Kind) ? randomUUID() : 1),
})

const label = ({ method, path }: Operation): string => `${method} ${path}`

/** Breaches of operations that do not refuse a guest. */
const walk = async (stage: Stage, operations: Operation[], token: string): Promise<string[]> => {
  const breaches: string[] = []
  for (const url of stage.urls) {
    for (const operation of operations) {
      const ids = new Map(operation.places.map((place) => [place, strange]))
      const { method, path, body } = requestOf(operation, ids)
      const answer = await request(url, method, path, { token, body })
      breaches.push(...unlessCode(`${label(operation)} at ${url}`, answer, codes.permissionMissing))
    }
  }
  return breaches
}

/** Changes of connections that the link does not open, each with the request of a guest. */
const excesses = (provider: Provider, own: string, foreign: string): [string, string, object?][] => [
  ['POST', '/connections', draftOf(provider)],
  ['GET', `/connections/${foreign}`],
  ['PUT', `/connections/${foreign}`, { name: 'Mine' }],
  ['DELETE', `/connections/${foreign}`],
  ['GET', `/connections/${foreign}/attempts`],
  ['PUT', `/connections/${own}`, { status: 'active' }],
  ['PUT', `/connections/${own}`, { trust_mfa: true }],
  ['PUT', `/connections/${own}`, { jit: false }],
  ['PUT', `/connections/${own}`, { default_role_ids: [1] }],
  ['PUT', `/connections/${own}`, { group_mappings: [{ group: 'all', role_id: 1 }] }],
]

const reach = async (stage: Stage, provider: Provider): Promise<string> => {
  const [url = ''] = stage.urls
  const { admin } = await newTenant(stage.root)
  const { id: foreign } = ok(await admin.call('POST', '/connections', draftOf(provider)))
  const guest = await enter(stage, await send(stage, admin))
  const act = (method: string, path: string, body?: object): Promise<Answer> =>
    request(url, method, `/api/v1${path}`, { token: guest, body })
  const { id: own } = ok(await act('POST', '/connections', draftOf(provider)))
  const listed = ok(await act('GET', '/connections')).map(({ id }: { id: string }) => id)
  const breaches = listed.length === 1 && listed[0] === own ? [] : [`the guest lists ${listed.join(', ')}`]
  for (const [method, path, body] of excesses(provider, own, foreign)) {
    const what = `${method} ${path} ${JSON.stringify(body)}`
    breaches.push(...unlessCode(what, await act(method, path, body), codes.permissionMissing))
  }
  const all = await readOperations(url)
  const shut = all.filter((one) => !served.has(label(one)))
  if (all.length - shut.length !== served.size) breaches.push('the description lacks operations of guests')
  breaches.push(...(await walk(stage, shut, guest)))
  refuteNothing(breaches)
  return `${shut.length} operations at ${stage.urls.length} replicas, and excesses at connections: 403`
}

interface Ending {
  tenant: Tenant
  /** An administrator of the tenant. */
  maker: Session
  link: Link
}

const demote = async (root: Session, { tenant: { id: tenant }, maker }: Ending): Promise<unknown> => {
  const role = await roleId(root, tenant, 'admin')
  return root.call('DELETE', `/rbac/users/${maker.userId}/roles/${role}`, undefined, { tenant })
}

/** Each resolves with the answer to the change that ends a link. */
const endings: Record<string, (stage: Stage, ending: Ending) => Promise<unknown>> = {
  'is revoked': (_, { maker, link }) => maker.call('DELETE', `/setup-links/${link.id}`),
  'has a maker without rank': ({ root }, ending) => demote(root, ending),
  'has a disabled maker': ({ root }, { tenant, maker }) =>
    root.call('PUT', `/users/${maker.userId}`, { status: 0 }, { tenant: tenant.id }),
  'is of a disabled tenant': ({ root }, { tenant }) =>
    root.call('PUT', `/org/tenants/${tenant.id}`, { status: 0 }),
}

const newEnding = async (stage: Stage): Promise<Ending> => {
  const tenant = await newTenant(stage.root)
  const maker = await newUser(stage.root, tenant.id)
  await assign(stage.root, tenant.id, maker.userId, await roleId(stage.root, tenant.id, 'admin'))
  return { tenant, maker, link: await send(stage, maker) }
}

/** Breaches of a link that has ended. */
const living = async (stage: Stage, { token }: Link, guest: string): Promise<string[]> => {
  const breaches: string[] = []
  for (const url of stage.urls) {
    const listed = await request(url, 'GET', '/api/v1/connections', { token: guest })
    breaches.push(...unlessCode(`the guest at ${url}`, listed, codes.tokenInvalid))
    const opened = await anyone({ urls: [url] }, '/setup/open', { token })
    breaches.push(...unlessCode(`the link at ${url}`, opened, codes.linkDead))
  }
  return breaches
}

const ends = async (stage: Stage): Promise<string> => {
  const breaches: string[] = []
  for (const [how, end] of Object.entries(endings)) {
    const ending = await newEnding(stage)
    const guest = await enter(stage, ending.link)
    for (const url of stage.urls) ok(await request(url, 'GET', '/api/v1/connections', { token: guest }))
    ok((await end(stage, ending)) as Answer)
    const found = await living(stage, ending.link, guest)
    breaches.push(...found.map((breach) => `a link that ${how}: ${breach}`))
  }
  refuteNothing(breaches)
  return `${Object.keys(endings).length} ends, each looked at with the next request at ${stage.urls.length} replicas`
}

/** Whether a directory's key provisions. */
const provisions = async (url: string, key: string): Promise<boolean> =>
  (await request(url, 'GET', '/scim/v2/Users', { token: key })).status === 200

/** A guest creates all there is, while the link is revoked at another replica. */
const race = async (stage: Stage, provider: Provider): Promise<string[]> => {
  const { root, urls } = stage
  const { admin } = await newTenant(root)
  const link = await send(stage, admin)
  const guest = await enter(stage, link)
  const keys: string[] = []
  const create = async (url: string): Promise<void> => {
    const by = { token: guest }
    const { status } = await request(url, 'POST', '/api/v1/connections', { ...by, body: draftOf(provider) })
    if (status !== 200) return
    const { data } = await request(url, 'POST', '/api/v1/setup/directory', by)
    if (data) keys.push(data.key)
  }
  const revoke = async () => ok(await admin.at(urls.at(-1) ?? '').call('DELETE', `/setup-links/${link.id}`))
  await Promise.all([...urls.map(create), revoke()])
  const left = ok(await admin.call('GET', '/connections')).length as number
  const accounts = ok(await admin.call('GET', '/service-accounts')).total as number
  const breaches: string[] = []
  if (left + accounts > 0) breaches.push(`${left} connections and ${accounts} accounts outlive their link`)
  for (const key of keys) if (await provisions(urls[0] ?? '', key)) breaches.push('a key outlives its link')
  return breaches
}

const leftovers = async (stage: Stage, provider: Provider): Promise<string> => {
  const [url = ''] = stage.urls
  const { admin } = await newTenant(stage.root)
  const link = await send(stage, admin)
  const by = { token: await enter(stage, link) }
  ok(await request(url, 'POST', '/api/v1/connections', { ...by, body: draftOf(provider) }))
  const { key } = ok(await request(url, 'POST', '/api/v1/setup/directory', by))
  const breaches: string[] = []
  if (await provisions(url, key)) breaches.push('a key provisions for a draft')
  ok(await admin.call('DELETE', `/setup-links/${link.id}`))
  if (ok(await admin.call('GET', '/connections')).length > 0) breaches.push('a draft outlives its link')
  const rounds = stage.short ? 3 : 20
  for (let round = 0; round < rounds; round += 1) breaches.push(...(await race(stage, provider)))
  refuteNothing(breaches)
  return `a draft with its key, and ${rounds} links that are revoked while guests create both`
}

export const proveSetupLinks = async (stage: Stage, provider: Provider, record: Prove): Promise<void> => {
  await record('a setup link opens with a code of its own mailbox alone', () => mailboxes(stage))
  await record('a guest of a setup link reaches nothing beyond it', () => reach(stage, provider))
  await record('a guest ends with the setup link, at every replica', () => ends(stage))
  await record('what nobody activated goes with its setup link', () => leftovers(stage, provider))
}

import { setTimeout as sleep } from 'node:timers/promises'
import { refuteNothing } from '../../attack.ts'
import { openBrowser, type Browser } from '../../../lab/browser.ts'
import { addKey, ok, request, unique, type Session } from '../../../lab/client.ts'
import type { Prove } from '../../suite.ts'
import { boundMs, requireDead } from './codes.ts'
import * as door from './stage.ts'
import {
  firstUrl,
  unlessError,
  userinfo,
  type Application,
  type Code,
  type Stage,
  type Tokens,
} from './stage.ts'

/** A person with a session of an application, and a code that is not used yet. */
interface Scene {
  person: Session
  application: Application
  browser: Browser
  tokens: Tokens
  code: Code
}

interface End {
  what: string
  isThirdParty?: boolean
  /** Whether sign-in and code are still valid. */
  isOfSession?: boolean
  act: (stage: Stage, scene: Scene) => Promise<unknown>
}

interface ListedSession {
  id: string
  tenant_id: string
  application: { id: number } | null
}

const sessionsOf = async (person: Session): Promise<ListedSession[]> =>
  ok(await person.call('GET', '/auth/sessions'))

const endWhere = async (person: Session, isOne: (one: ListedSession) => boolean): Promise<void> => {
  const found = (await sessionsOf(person)).filter(isOne)
  if (found.length === 0) throw new Error('the session is not listed')
  for (const { id } of found) ok(await person.call('DELETE', `/auth/sessions/${id}`))
}

const change = (stage: Stage, { id, name }: Application, fields: object) =>
  stage.root
    .call('PUT', `/applications/${id}`, { name, redirect_uris: [door.redirectUri], ...fields })
    .then(ok)

const ends: End[] = [
  {
    what: 'the end of the sign-in',
    act: (_, { person }) => endWhere(person, ({ tenant_id: tenantId }) => tenantId === ''),
  },
  {
    what: 'the end of the session',
    isOfSession: true,
    act: (_, { person, application }) => endWhere(person, (one) => one.application?.id === application.id),
  },
  {
    what: 'a revoked refresh token',
    isOfSession: true,
    act: async (stage, { application, tokens }) =>
      door.revoke(firstUrl(stage), application, tokens.refresh_token),
  },
  {
    what: 'a revoked consent',
    isThirdParty: true,
    act: async (_, { person, application }) => {
      const grants: { id: number; application: { id: number } }[] = ok(
        await person.call('GET', '/auth/grants'),
      )
      for (const { id } of grants.filter((one) => one.application.id === application.id)) {
        ok(await person.call('DELETE', `/auth/grants/${id}`))
      }
    },
  },
  {
    what: 'a disabled user',
    act: (stage, { person }) =>
      stage.tenant.admin.call('PUT', `/users/${person.userId}`, { status: 0 }).then(ok),
  },
  {
    what: 'a user who was disabled for a while',
    act: async (stage, { person }) => {
      for (const status of [0, 1]) {
        ok(await stage.tenant.admin.call('PUT', `/users/${person.userId}`, { status }))
      }
    },
  },
  {
    what: 'the end of the sessions by an administrator',
    act: (stage, { person }) =>
      stage.tenant.admin.call('DELETE', `/users/${person.userId}/sessions`).then(ok),
  },
  {
    what: 'a removed user',
    act: (stage, { person }) => stage.tenant.admin.call('DELETE', `/users/${person.userId}`).then(ok),
  },
  {
    what: 'another password',
    act: (_, { person }) => {
      const { password } = person
      const body = { old_password: password, new_password: `${password}, again` }
      return person.call('POST', '/password', body).then(ok)
    },
  },
  {
    what: 'a disabled application',
    act: (stage, { application }) => change(stage, application, { status: 0 }),
  },
  {
    what: 'an application that was disabled for a while',
    isOfSession: true,
    act: async (stage, { application }) => {
      await change(stage, application, { status: 0 })
      await change(stage, application, { status: 1 })
    },
  },
  {
    what: 'a tenant taken off the application',
    act: (stage, { application }) => change(stage, application, { tenant_ids: [] }),
  },
  {
    what: 'a deleted application',
    act: (stage, { application }) => stage.root.call('DELETE', `/applications/${application.id}`).then(ok),
  },
]

const openScene = async (stage: Stage, isThirdParty: boolean): Promise<Scene> => {
  const url = firstUrl(stage)
  const [person, browser] = [await door.newPerson(stage), openBrowser(url)]
  const application = await door.newApplication(stage.root, { is_third_party: isThirdParty })
  const tokens = await door.openSession(browser, person, application)
  // Every replica remembers the session.
  for (const one of stage.urls) {
    if ((await userinfo(one, tokens.access_token)) !== 200) throw new Error('a new session is refused')
  }
  return { person, application, browser, tokens, code: await door.newCode(browser, person, application) }
}

/** A client that is gone or disabled cannot authenticate. */
const unlessRefused = (what: string, answer: Parameters<typeof unlessError>[1]): string[] =>
  answer.status === 401 ? unlessError(what, answer, 'invalid_client') : unlessError(what, answer)

const proveEnd = async (stage: Stage, end: End): Promise<void> => {
  const scene = await openScene(stage, end.isThirdParty ?? false)
  const { application, tokens, code } = scene
  await end.act(stage, scene)
  const breaches: string[] = []
  for (const url of stage.urls) {
    const again = await door.refresh(url, application, tokens.refresh_token)
    breaches.push(...unlessRefused(`a refresh after ${end.what}`, again))
  }
  const late = await door.exchange(stage.urls.at(-1) ?? '', application, code)
  if (!end.isOfSession) breaches.push(...unlessRefused(`a code after ${end.what}`, late))
  else if (late.status !== 200) breaches.push(`${end.what} ended the sign-in: ${late.text}`)
  refuteNothing(breaches)
  await requireDead(stage.urls, tokens.access_token, `a token after ${end.what}`)
}

const proveAll = async (stage: Stage): Promise<string> => {
  for (const end of ends) await proveEnd(stage, end)
  return `${ends.length} acts at ${stage.urls.length} replica(s): refresh and code are refused at once, access tokens within 2 s`
}

/** A token of a service account is valid as long as its key. */
const proveKeys = async ({ urls, tenant: { id, admin } }: Stage): Promise<string> => {
  const [url = ''] = urls
  const key = await addKey(admin, id, unique('key'))
  // Another key of the account stays valid.
  ok(await admin.call('POST', `/service-accounts/${key.userId}/keys`, { name: 'another proof' }))
  const form = { grant_type: 'client_credentials', client_id: `sa_${key.userId}`, client_secret: key.token }
  const { access_token: token } = ok(await door.postForm(url, '/token', form))
  const statusAt = async (one: string) =>
    (await request(one, 'GET', '/api/v1/authz/permissions', { token })).status
  for (const one of urls) if ((await statusAt(one)) !== 200) throw new Error('a new token is refused')
  ok(await admin.call('DELETE', `/service-accounts/${key.userId}/keys/${key.keyId}`))
  const deadline = Date.now() + boundMs
  for (const one of urls) {
    while ((await statusAt(one)) !== 401) {
      if (Date.now() > deadline) refuteNothing(['a token outlives its key'])
      await sleep(20)
    }
  }
  const again = await door.postForm(url, '/token', form)
  refuteNothing(unlessError('another token', again, 'invalid_client'))
  return `refused at ${urls.length} replica(s) within 2 s, and the key gets no other`
}

export const proveEnds = async (stage: Stage, prove: Prove): Promise<void> => {
  await prove('what ends a session ends its codes, tokens and refreshes on every replica', () =>
    proveAll(stage),
  )
  await prove('a token of a service account ends with its key', () => proveKeys(stage))
}

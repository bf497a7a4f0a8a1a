/** People whom an administrator or a directory removes. */
import { consoleCodeIn, interactionOf, openBrowser, type Browser } from '../../../lab/browser.ts'
import { addKey, ok, openedBy, request, unique, type Answer, type Session } from '../../../lab/client.ts'
import { letProvision, scim, type Directory } from '../../../lab/directory.ts'
import { refuteNothing } from '../../attack.ts'
import type { Prove } from '../../suite.ts'
import { newColleague, push, setActive } from '../scim/stage.ts'
import {
  exchange,
  placeAfter,
  postRefresh,
  statusAt,
  through,
  type OidcHome,
  type Person,
  type Stage,
} from './stage.ts'

type Pushed = OidcHome & Directory

/** A person with a password, and with sessions by it and by the provider. */
interface Colleague {
  byPassword: Session
  byProvider: Session
  person: Person
  /** A browser that has come back from the provider, and the address with its code. */
  halfway: { browser: Browser; location: string }
}

interface End {
  isPushed: boolean
  end: (home: Pushed, user: Session, id: string) => Promise<Answer>
}

const ends: Record<string, End> = {
  'an administrator': {
    isPushed: false,
    end: ({ admin }, { userId }) => admin.call('PUT', `/users/${userId}`, { status: 0 }),
  },
  'an administrator, beside a directory': {
    isPushed: true,
    end: ({ admin }, { userId }) => admin.call('PUT', `/users/${userId}`, { status: 0 }),
  },
  'a directory that disables': { isPushed: true, end: (home, _, id) => setActive(home, id, false) },
  'a directory that deletes': {
    isPushed: true,
    end: ({ machine }, _, id) => scim(machine, `DELETE /Users/${id}`),
  },
}

const openPushed = async ({ newHome }: Stage): Promise<Pushed> => {
  const home = await newHome()
  const { admin, connectionId } = home
  const machine = await addKey(admin, admin.tenantId, unique('directory'))
  await letProvision(admin, machine.userId)
  ok(await admin.call('PUT', `/connections/${connectionId}`, { scim_account_id: machine.userId }))
  return { ...home, machine }
}

/** Signs in by the provider, and proves the account by its password if required. Undefined for a refused person. */
const enter = async (url: string, home: OidcHome, user: Session, person: Person) => {
  const browser = openBrowser(url)
  const place = await placeAfter(browser, await through(browser, home, person))
  if (!place?.location.startsWith('/sign-in')) return exchange(browser, place?.location ?? '')
  const { email, password } = user
  const { data } = await browser.act(interactionOf(place), 'password', { email, password })
  return exchange(browser, data?.redirect_to ?? '')
}

const newLinked = async (home: OidcHome, byPassword: Session): Promise<Colleague> => {
  const person = { sub: unique('s'), email: byPassword.email }
  const pair = await enter(byPassword.base, home, byPassword, person)
  if (!pair) throw new Error(`${person.email} is not linked`)
  const byProvider = await openedBy(byPassword.base, pair, byPassword)
  const browser = openBrowser(byPassword.base)
  const { location = '' } = (await placeAfter(browser, await through(browser, home, person))) ?? {}
  return { byPassword, byProvider, person, halfway: { browser, location } }
}

/** Every way back at a replica; a breach for each that is open. */
const waysBack = async (url: string, home: OidcHome, colleague: Colleague): Promise<string[]> => {
  const { byPassword, byProvider, person } = colleague
  const { email, password } = byPassword
  const login = { body: { email, password } }
  const statuses = {
    'the token of a login': await statusAt(url, byPassword.token),
    'the token of a connection': await statusAt(url, byProvider.token),
    'a refresh': (await postRefresh(url, byPassword)).status,
    'a refresh by a connection': (await postRefresh(url, byProvider)).status,
    'a login': (await request(url, 'POST', '/api/v1/auth/login', login)).status,
  }
  const breaches = Object.entries(statuses)
    .filter(([, status]) => status !== 401)
    .map(([way, status]) => `${way} answers ${status} at ${url}`)
  for (const claims of [person, { ...person, sub: unique('s') }]) {
    const pair = await enter(url, home, byPassword, claims)
    if (pair) breaches.push(`the provider brings ${claims.sub} back at ${url}`)
  }
  return breaches
}

const putOut = async (stage: Stage, home: Pushed, { isPushed, end }: End): Promise<string[]> => {
  const user = await newColleague(home)
  const id = isPushed ? await push(home, { userName: user.email }) : ''
  const colleague = await newLinked(home, user)
  const breaches: string[] = []
  const { status } = await end(home, user, id)
  if (status !== 200 && status !== 204) breaches.push(`the end answers ${status}`)
  const { browser, location } = colleague.halfway
  if (consoleCodeIn(location) === undefined) breaches.push('nobody is halfway in')
  if (await exchange(browser, location)) breaches.push('a code from before opens a session')
  for (const url of stage.urls) breaches.push(...(await waysBack(url, home, colleague)))
  return breaches
}

const proveOut = async (stage: Stage): Promise<string> => {
  const pushed = await openPushed(stage)
  const plain = { ...stage.home, machine: pushed.machine }
  const rounds = stage.short ? 2 : 10
  const breaches: string[] = []
  for (const [who, end] of Object.entries(ends)) {
    const home = end.isPushed ? pushed : plain
    for (let round = 0; round < rounds; round += 1) {
      for (const breach of await putOut(stage, home, end)) breaches.push(`${who}: ${breach}`)
    }
  }
  refuteNothing(breaches)
  const people = rounds * Object.keys(ends).length
  return `${people} people, 8 ways back each, at ${stage.urls.length} replicas`
}

export const proveOuts = (stage: Stage, prove: Prove): Promise<void> =>
  prove('who is put out comes back by no provider, password or refresh', () => proveOut(stage))

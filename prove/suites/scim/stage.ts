import { newTenant, ok, request, signIn, unique, type Answer, type Session } from '../../../lab/client.ts'
import {
  openDirectory,
  openNames,
  patchOf,
  scim,
  type Directory,
  type Names,
} from '../../../lab/directory.ts'
import { startReplica } from '../../../lab/replica.ts'
import { password } from '../../attack.ts'
import { ownStores, ownTarget, type Target } from '../../target.ts'

/** An installation of the suite's own, whose domains are proved at a DNS server of the suite. */
export interface Stage {
  short: boolean
  /** Undefined on the embedded database. */
  databaseUrl: string | undefined
  root: Session
  names: Names
  /** Two replicas on services. */
  urls: string[]
  home: Directory
  foreign: Directory
  close(): Promise<void>
}

export const openStage = async ({ kind, short }: Target): Promise<Stage> => {
  const names = await openNames()
  const stores = await ownStores(kind)
  const env = { ...stores.env, ...names.env }
  const target = await ownTarget({ ...stores, env }, short)
  const second = kind === 'services' ? await startReplica(env) : undefined
  const { root, url } = target
  const [one, other] = [await newTenant(root), await newTenant(root)]
  return {
    short,
    databaseUrl: stores.env['DATABASE_URL'],
    root,
    names,
    urls: [url, ...(second ? [second.url] : [])],
    home: await openDirectory(one.admin, names),
    foreign: await openDirectory(other.admin, names),
    close: async () => {
      await second?.stop()
      await target.close()
      await names.stop()
    },
  }
}

/** A user of the tenant with an address in the domain of its directory, signed in. */
export const newColleague = async (
  { admin, domain }: Directory,
  by = admin,
  tenantId = admin.tenantId,
): Promise<Session> => {
  const username = unique('scim')
  const body = { email: `${username}@${domain}`, username, password }
  ok(await by.call('POST', '/users', body, { tenant: tenantId }))
  return signIn(by.base, body.email, password)
}

/** Pushes a user. Returns the id of the resource. */
export const push = async (directory: Directory, user: object = {}): Promise<string> => {
  const body = { userName: `${unique('pushed')}@${directory.domain}`, ...user }
  const answer = await scim(directory.machine, 'POST /Users', body)
  if (answer.status !== 201) throw new Error(`a push is refused: ${answer.status} ${answer.text}`)
  return answer.body.id
}

export const pushGroup = async (directory: Directory, members: string[], more: object = {}) => {
  const body = { displayName: unique('group'), members: members.map((value) => ({ value })), ...more }
  const answer = await scim(directory.machine, 'POST /Groups', body)
  if (answer.status !== 201) throw new Error(`a group is refused: ${answer.status} ${answer.text}`)
  return { id: answer.body.id as string, name: body.displayName }
}

export const setActive = ({ machine }: Directory, id: string, active: boolean): Promise<Answer> =>
  scim(machine, `PATCH /Users/${id}`, patchOf({ op: 'replace', path: 'active', value: active }))

/** The user of the tenant with an address. */
export const userOf = async ({ admin }: Directory, email: string): Promise<{ id: number; status: number }> =>
  ok(await admin.call('GET', `/users?search=${encodeURIComponent(email)}`)).items[0]

export const addressOf = async ({ machine }: Directory, id: string): Promise<string> =>
  (await scim(machine, `GET /Users/${id}`)).body.userName

export const rolesOf = async ({ admin }: Directory, userId: number): Promise<number[]> =>
  ok(await admin.call('GET', `/rbac/users/${userId}/roles`)).map(({ id }: { id: number }) => id)

/** The status of a request with the token at a replica. */
export const statusAt = async (url: string, token: string): Promise<number> =>
  (await request(url, 'GET', '/api/v1/profile', { token })).status

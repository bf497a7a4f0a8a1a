/** People whose authority ends or is agreed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { addRole, assign } from '../../attack.ts'
import {
  newTenant,
  newUser,
  ok,
  openedBy,
  roleId,
  unique,
  type Answer,
  type Call,
  type Session,
} from '../../../lab/client.ts'
import { query } from '../../../lab/databases.ts'
import { addApp, challengeFor, type App } from '../../second-factor.ts'
import { idsOf } from '../escalation/stage.ts'
import type { Provider } from '../sso/provider.ts'
import { anyone, newPerson, type Stage } from '../people/stage.ts'

export const codes = {
  permissionMissing: 40301,
  mfaRequired: 40316,
  targetOutranksCaller: 40306,
  grantOutlastsOwn: 40390,
  supportShut: 40393,
  supportRefused: 40394,
  approvalNeeded: 40350,
  ownApproval: 40351,
  approverMissing: 40353,
  ownItem: 40358,
  approvalOver: 40985,
  approvalOutdated: 40986,
}

const minute = 60_000

export const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * minute).toISOString()

/** A user with a second factor, whose session has `mfa`. */
export interface Careful extends Session {
  app: App
}

export const careful = async (user: Session): Promise<Careful> => ({ ...user, app: await addApp(user) })

/** The caller with other headers, at every replica. */
const calling = (caller: Session, options: Call): Session => ({
  ...caller,
  call: (method, path, body, more) => caller.call(method, path, body, { ...options, ...more }),
  at: (base) => calling(caller.at(base), options),
})

/** A caller in a tenant that is not the own one. */
export const within = (caller: Session, tenant: string): Session => calling(caller, { tenant })

/** A caller by another token. */
export const byToken = (caller: Session, token: string): Session => ({ ...calling(caller, { token }), token })

/** A session of a person with a second factor, by a sign-in of its own. An app serves one such sign-in. */
export const signInAgain = async (stage: Stage, user: Careful): Promise<Session> => {
  const body = { challenge: await challengeFor(user), code: user.app.nextCode() }
  return openedBy(user.base, ok(await anyone(stage, '/auth/login/factor', body)), user)
}

export const newRole = ({ root, permissions }: Stage, tenant: string, given: string[]): Promise<number> =>
  addRole(root, tenant, { name: unique('role '), permissions: idsOf(permissions, given) })

/** A user of a tenant who holds these permissions without an end. */
export const userWith = async (stage: Stage, tenant: string, given: string[]): Promise<Session> => {
  const user = await newUser(stage.root, tenant)
  if (given.length > 0) await assign(stage.root, tenant, user.userId, await newRole(stage, tenant, given))
  return user
}

/** A platform administrator with a second factor, who has proved the mailbox. */
export const newStaff = async (stage: Stage): Promise<Careful> => {
  const { root } = stage
  const user = await newPerson(stage, { admin: root })
  await assign(root, root.tenantId, user.userId, await roleId(root, root.tenantId, 'platform-admin'))
  return careful(user)
}

export interface Company {
  id: string
  admin: Careful
}

/** A tenant whose administrator has a second factor. */
export const newCompany = async ({ root }: Stage): Promise<Company> => {
  const { id, admin } = await newTenant(root)
  return { id, admin: await careful(admin) }
}

/** Further administrators with a second factor. */
export const addAdmin = async ({ root }: Stage, tenant: string): Promise<Careful> => {
  const user = await newUser(root, tenant)
  await assign(root, tenant, user.userId, await roleId(root, tenant, 'admin'))
  return careful(user)
}

/** Replicas follow an end within this time (docs/contract.md). */
export const boundMs = 2000

/** Asks every replica until its answer is `wanted`. Returns a breach for each that is late, or that turns back. */
export const followed = async (
  { urls }: Stage,
  what: string,
  ask: (url: string) => Promise<Answer>,
  isWanted: (status: number) => boolean,
): Promise<string[]> => {
  const deadline = performance.now() + boundMs
  const breaches = await Promise.all(
    urls.map(async (url) => {
      let { status } = await ask(url)
      for (; !isWanted(status) && performance.now() < deadline; { status } = await ask(url)) await sleep(20)
      if (!isWanted(status)) return [`${what}: ${url} answers ${status} after ${boundMs} ms`]
      const again = await ask(url)
      return isWanted(again.status) ? [] : [`${what}: ${url} answers ${status}, and then ${again.status}`]
    }),
  )
  return breaches.flat()
}

/** Asks every replica until it refuses. */
export const refusedEverywhere = (stage: Stage, what: string, ask: (url: string) => Promise<Answer>) =>
  followed(stage, what, ask, (status) => status === 401 || status === 403)

/** Runs SQL on the service's PostgreSQL, because no proof can wait for an end of five minutes. */
export const moveTime = ({ env }: Stage, text: string, values: unknown[]): Promise<unknown> =>
  query(env['DATABASE_URL'] ?? '', text, values)

/** A connection that nobody has tested. */
export const draftOf = ({ issuer }: Provider) => ({
  type: 'oidc',
  name: 'Entra ID',
  issuer,
  client_id: 'tenantry',
  client_secret: 'any',
})

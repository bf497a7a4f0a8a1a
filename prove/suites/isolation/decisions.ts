import { addRole, addUser, assign, patiently, refuteNothing } from '../../attack.ts'
import { ok, unique, type Answer, type Session } from '../../../lab/client.ts'
import type { World } from './world.ts'

interface Question {
  what: string
  ask: (by: Session, userId: number, tenant: string) => Promise<Answer>
}

const questions: Question[] = [
  {
    what: 'a check',
    ask: (by, user_id, tenant) =>
      by.call('POST', '/authz/check', { user_id, permissions: ['user:read'] }, { tenant }),
  },
  {
    what: 'a list of permissions',
    ask: (by, userId, tenant) =>
      by.call('GET', `/authz/permissions?user_id=${userId}`, undefined, { tenant }),
  },
  {
    what: 'an explanation',
    ask: (by, user_id, tenant) =>
      by.call('POST', '/authz/explain', { user_id, permission: 'user:read' }, { tenant }),
  },
]

const asked = (question: Question, by: Session, userId: number, tenant: string) =>
  patiently(() => question.ask(by, userId, tenant))

/** Whether an answer says that the user may read users. */
const grants = ({ data }: Answer): boolean =>
  data.allowed ?? (data.permissions as string[]).includes('user:read')

interface Facts {
  /** A user of the platform administrator's own tenant. */
  foreign: number
  /** A user of the attacker's tenant who may read users, and one who may not. */
  granted: number
  bare: number
}

const gather = async ({ root, home }: World): Promise<Facts> => {
  const [foreign, granted, bare] = [
    await addUser(root, root.tenantId, unique('decided')),
    await addUser(root, home.id, unique('decided')),
    await addUser(root, home.id, unique('decided')),
  ]
  const role = await addRole(root, home.id, { name: unique('decided '), permissions: [1] })
  await assign(root, home.id, granted, role)
  return { foreign, granted, bare }
}

const breachesOf = async (
  question: Question,
  by: Session,
  tenant: string,
  facts: Facts,
): Promise<string[]> => {
  const [foreign, granted, bare] = [
    await asked(question, by, facts.foreign, tenant),
    await asked(question, by, facts.granted, tenant),
    await asked(question, by, facts.bare, tenant),
  ]
  const isRight =
    foreign.status === 404 &&
    granted.status === 200 &&
    grants(granted) &&
    bare.status === 200 &&
    !grants(bare)
  return isRight ? [] : [`${question.what}: ${[foreign, granted, bare].map(({ text }) => text).join(' ')}`]
}

/** A caller from outside has to get the facts of the tenant in scope, and 404 for a user of the caller's own tenant. */
export const proveDecisions = async (world: World): Promise<string> => {
  const { root, home } = world
  const facts = await gather(world)
  const breaches: string[] = []
  for (const question of questions) {
    for (const by of [root, home.admin]) breaches.push(...(await breachesOf(question, by, home.id, facts)))
  }
  ok(await root.call('DELETE', `/users/${facts.foreign}`))
  refuteNothing(breaches)
  return `${questions.length} kinds of question, of an administrator and of a platform administrator`
}

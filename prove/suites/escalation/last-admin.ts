import { setTimeout as sleep } from 'node:timers/promises'
import { ask, assign, patiently } from '../../attack.ts'
import { newUser, ok, roleId, signIn, type Answer, type Session } from '../../../lab/client.ts'
import { startReplica } from '../../../lab/replica.ts'
import type { Prove } from '../../suite.ts'
import { embeddedStores, ownTarget, serviceStores, type Target } from '../../target.ts'

/**
 * The number of administrators that attack each other in a round: with more the last two would rarely decide the round.
 */
const duellists = 4

interface Arena {
  /** A platform administrator who survived the last round. */
  keeper: Session
  /** Whether the others attack the keeper too. */
  isKeeperAttacked: boolean
  role: number
  urls: string[]
}

const newAdmins = async ({ keeper, role }: Arena, count: number): Promise<Session[]> => {
  const admins = await Promise.all(Array.from({ length: count }, () => newUser(keeper)))
  for (const { userId } of admins) await assign(keeper, keeper.tenantId, userId, role)
  return admins
}

const shuffled = <T>(items: T[]): T[] =>
  items
    .map((item) => ({ item, key: Math.random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)

type Attempt = () => Promise<Answer>

/** Every administrator tries to delete, disable or strip every other one, and to strip themselves. */
const attemptsOf = ({ role, urls }: Arena, fighters: Session[]): Attempt[] =>
  fighters.flatMap((by, index) =>
    fighters.map((victim, turn): Attempt => {
      const at = by.at(urls[(index + turn) % urls.length] ?? by.base)
      const strip: Attempt = () => at.call('DELETE', `/rbac/users/${victim.userId}/roles/${role}`)
      const disable: Attempt = () => at.call('PUT', `/users/${victim.userId}`, { status: 0 })
      const remove: Attempt = () => at.call('DELETE', `/users/${victim.userId}`)
      const [chosen = strip] = by.userId === victim.userId ? [strip] : shuffled([strip, disable, remove])
      return chosen
    }),
  )

/** Signs each administrator in anew and returns those that are enabled and hold the role. */
const survivorsOf = async (admins: Session[]): Promise<Session[]> => {
  const found: Session[] = []
  for (const { base, email, password } of admins) {
    const login = await ask(base, 'POST', '/api/v1/auth/login', { body: { email, password } })
    if (login.status !== 200) continue
    const session = await signIn(base, email, password)
    if ((await session.call('GET', '/org/tenants')).status === 200) found.push(session)
  }
  return found
}

interface Score {
  attempts: number
  rounds: number
  succeeded: number
  unexpected: string[]
}

/** Deletes the administrators that lost: enabled again they would count. */
const clear = async (keeper: Session, users: Session[]): Promise<void> => {
  for (const { userId } of users) {
    if (userId !== keeper.userId) await patiently(() => keeper.call('DELETE', `/users/${userId}`))
  }
}

const attack = async (arena: Arena, all: Session[], score: Score): Promise<void> => {
  const attempts = shuffled(attemptsOf(arena, all))
  const answers = await Promise.all(attempts.map((attempt) => attempt()))
  score.attempts += attempts.length
  score.rounds += 1
  score.succeeded += answers.filter(({ status }) => status === 200).length
  const lawful = new Set([200, 400, 401, 403, 404, 503])
  score.unexpected.push(
    ...answers.filter(({ status }) => !lawful.has(status)).map(({ text }) => text.slice(0, 120)),
  )
}

const fight = async (arena: Arena, score: Score): Promise<void> => {
  const extras = await newAdmins(arena, duellists)
  const all = arena.isKeeperAttacked ? [arena.keeper, ...extras] : extras
  try {
    await attack(arena, all, score)
    const [survivor] = await survivorsOf(arena.isKeeperAttacked ? all : [arena.keeper])
    if (!survivor) {
      throw new Error(
        `no platform administrator is left after ${score.attempts} attempts in ${score.rounds} rounds`,
      )
    }
    arena.keeper = survivor
  } finally {
    await clear(arena.keeper, all)
  }
}

const fightOn = async (arena: Arena, count: number): Promise<string> => {
  const score: Score = { attempts: 0, rounds: 0, succeeded: 0, unexpected: [] }
  while (score.attempts < count) await fight(arena, score)
  if (score.unexpected.length > 0) throw new Error(score.unexpected.slice(0, 3).join(', '))
  return `${score.attempts} attempts in ${score.rounds} rounds of all at once, ${score.succeeded} succeeded; one administrator was always left`
}

/** Repeats an attempt after 503 until the service decides it. */
const decided = async (send: Attempt, score: { sentBack: number }): Promise<Answer> => {
  const answer = await patiently(send)
  if (answer.status !== 503 || score.sentBack > 5000) return answer
  score.sentBack += 1
  await sleep(1000 * Number(answer.headers.get('retry-after') ?? 1))
  return decided(send, score)
}

/** Sends many attempts at once against the last administrator, by every operation that could remove one. */
const besiege = async ({ keeper, role, urls }: Arena, count: number): Promise<string> => {
  const self = keeper.userId
  const score = { sentBack: 0 }
  const doors: [string, string, unknown][] = [
    ['DELETE', `/users/${self}`, undefined],
    ['PUT', `/users/${self}`, { status: 0 }],
    ['DELETE', `/rbac/users/${self}/roles/${role}`, undefined],
    ['PUT', `/org/tenants/${keeper.tenantId}`, { status: 0 }],
    ['DELETE', `/org/tenants/${keeper.tenantId}`, undefined],
  ]
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const [method, path, body] = doors[index % doors.length] ?? ['GET', '/', undefined]
      const at = keeper.at(urls[index % urls.length] ?? keeper.base)
      return decided(() => at.call(method, path, body, { timeoutMs: 60_000 }), score)
    }),
  )
  const wrong = answers.filter(({ status }) => status !== 400)
  if (wrong.length > 0) throw new Error(`${wrong.length} answered ${wrong[0]?.status} ${wrong[0]?.text}`)
  ok(await keeper.call('GET', '/org/tenants'))
  return `${count} attempts at once, by ${doors.length} operations: 400 (${score.sentBack} times 503 first)`
}

const replicasOf = async ({ kind, env, url }: Target) => {
  if (kind !== 'services' || !env) return { urls: [url], stop: async () => {} }
  const second = await startReplica(env)
  return { urls: [url, second.url], stop: async () => void (await second.stop()) }
}

/** Runs on stores of its own, where the others attack the root administrator too. */
const onOwnStores = async (
  { kind, short }: Target,
  fightIn: (arena: Arena, count: number) => Promise<string>,
): Promise<string> => {
  const own = await ownTarget(await (kind === 'services' ? serviceStores() : embeddedStores()), short)
  const { urls, stop } = await replicasOf(own)
  try {
    const role = await roleId(own.root, own.root.tenantId, 'platform-admin')
    const arena = { keeper: own.root, isKeeperAttacked: true, role, urls }
    return `${await fightIn(arena, short ? 200 : 1000)}, ${urls.length} replicas`
  } finally {
    await stop()
    await own.close()
  }
}

/** Spares the root administrator: the target may be in use. */
const onTarget = async ({ root, url, short }: Target): Promise<string> => {
  const arena = {
    keeper: root,
    isKeeperAttacked: false,
    role: await roleId(root, root.tenantId, 'platform-admin'),
    urls: [url],
  }
  const evidence = await fightOn(arena, short ? 50 : 200)
  ok(await root.call('GET', '/org/tenants'))
  return `${evidence}; the administrator who did not take part works as before`
}

export const proveLastAdmin = async (target: Target, prove: Prove): Promise<void> => {
  await prove('platform administrators that remove each other do not affect others', () => onTarget(target))
  if (target.kind === 'given') return
  await prove('the last platform administrator survives concurrent attempts of all of them', () =>
    onOwnStores(target, fightOn),
  )
  await prove('no operation removes the last platform administrator', () => onOwnStores(target, besiege))
}

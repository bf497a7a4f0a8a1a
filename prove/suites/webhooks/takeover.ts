import { refuteNothing } from '../../attack.ts'
import { startBalancer } from '../../balancer.ts'
import { newTenant, request, type Session } from '../../../lab/client.ts'
import { spread } from '../../figures.ts'
import type { Replica } from '../../../lab/replica.ts'
import { addHook, happen, requireAll, rootOf, start, until, type Scene } from './scene.ts'

const eventsOfRound = 40
const takeoverMsMax = 10_000

/** The events of a tenant that a hook has to receive. */
interface Course {
  path: string
  admin: Session
  wanted: string[]
}

/** Two tenants, one of them with two hooks, and a hook of all tenants. */
const openCourses = async ({ admin, receiver }: Scene, root: Session): Promise<Course[]> => {
  const { admin: other } = await newTenant(root)
  await addHook(admin, receiver, '/second')
  await addHook(other, receiver, '/other')
  await addHook(root, receiver, '/all', { all_tenants: true })
  const [own, others]: string[][] = [[], []]
  return [
    { path: '/own', admin, wanted: own },
    { path: '/second', admin, wanted: own },
    { path: '/all', admin, wanted: own },
    { path: '/other', admin: other, wanted: others },
    { path: '/all', admin: other, wanted: others },
  ].map(({ wanted = [], ...course }) => ({ ...course, wanted }))
}

const arrivalsOf = ({ receiver }: Scene, { path, admin }: Course) =>
  receiver.arrivals.filter((one) => one.path === path && one.tenant === admin.tenantId)

/** Three replicas, the last of which loses its Redis once it runs. */
class Crew {
  readonly #scene: Scene
  #connected: Replica[]
  #cutOff: Replica | undefined

  constructor(scene: Scene) {
    this.#scene = scene
    this.#connected = scene.started.slice(0, 1)
  }

  get replicas(): Replica[] {
    return [...this.#connected, ...(this.#cutOff ? [this.#cutOff] : [])]
  }

  async #startCutOff(): Promise<Replica> {
    const url = new URL(this.#scene.env['REDIS_URL'] ?? '')
    const way = await startBalancer([url.href.replace('redis:', 'http:')])
    url.host = new URL(way.url).host
    const replica = await start(this.#scene, { REDIS_URL: url.href })
    way.close()
    return replica
  }

  async fill(): Promise<void> {
    while (this.#connected.length < 2) this.#connected.push(await start(this.#scene))
    this.#cutOff ??= await this.#startCutOff()
  }

  async kill(replica: Replica): Promise<void> {
    replica.signal('SIGKILL')
    await replica.exited
    this.#connected = this.#connected.filter((one) => one !== replica)
    if (this.#cutOff === replica) this.#cutOff = undefined
  }
}

/** How many deliveries a replica has made. */
const deliveriesBy = async ({ url }: Replica): Promise<number> => {
  const { text } = await request(url, 'GET', '/metrics')
  return Number(/^tenantry_webhook_attempts_total\{result="taken"\} (\d+)/m.exec(text)?.[1])
}

/** Resolves with the replica that delivers most, once it does. */
const findDeliverer = async ({ replicas }: Crew, before: number[]): Promise<Replica> => {
  for (const end = performance.now() + 120_000; performance.now() < end;) {
    const counts = await Promise.all(replicas.map(deliveriesBy))
    const grown = counts.map((count, at) => count - (before[at] ?? 0))
    const most = Math.max(...grown)
    const found = replicas[grown.indexOf(most)]
    if (found && most > 5) return found
  }
  throw new Error('no replica delivers')
}

/** Kills the replica that delivers. Resolves with the time until each hook has heard the next event. */
const killDeliverer = async (scene: Scene, crew: Crew, courses: Course[]): Promise<number> => {
  const before = await Promise.all(crew.replicas.map(deliveriesBy))
  const [at] = crew.replicas
  const happening = [...new Map(courses.map((course) => [course.wanted, course])).values()].map(
    async ({ admin, wanted }) => {
      wanted.push(...(await happen({ admin: admin.at(at?.url ?? '') }, eventsOfRound)))
    },
  )
  await Promise.all(happening)
  await crew.kill(await findDeliverer(crew, before))
  const killedAt = performance.now()
  const isHeard = (course: Course) => {
    const came = new Set(arrivalsOf(scene, course).map(({ resourceId }) => resourceId))
    return course.wanted.every((id) => came.has(id.split(' ')[1] ?? ''))
  }
  await until(() => courses.every(isHeard))
  const firsts = courses.flatMap((course) => arrivalsOf(scene, course).find((one) => one.at > killedAt) ?? [])
  if (firsts.length === 0) throw new Error('the replica was killed when nothing waited')
  return Math.max(...firsts.map((one) => one.at - killedAt))
}

/** Kills the delivering one of three replicas, again and again. */
export const proveTakeover = async (scene: Scene, rounds: number): Promise<string> => {
  const courses = await openCourses(scene, await rootOf(scene.started[0] as Replica, scene))
  const crew = new Crew(scene)
  const delays: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await crew.fill()
    delays.push(await killDeliverer(scene, crew, courses))
  }
  for (const course of courses) requireAll(arrivalsOf(scene, course), course.wanted)
  const late = delays.filter((ms) => ms > takeoverMsMax)
  refuteNothing(late.map((ms) => `another replica went on after ${Math.round(ms)} ms`))
  const wanted = courses.reduce((sum, course) => sum + course.wanted.length, 0)
  const again = scene.receiver.arrivals.length - wanted
  return `${rounds} times kill -9 of the one of three replicas that delivers: ${wanted} deliveries by four hooks came in order, ${again} of them again under their ids; another one went on after: ${spread(delays)}`
}

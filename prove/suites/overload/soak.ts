import { newUser, ok, request, type Answer, type Session } from '../../../lab/client.ts'
import { spread } from '../../figures.ts'
import { sizesOf, type Sizes } from './memory.ts'

const lanes = 8
const sampleEveryMs = 1000
/**
 * The limit for one process. V8's heap grows to about 200 MB under load before a full collection, and the embedded
 * database takes 128 MB. Answers in flight need more.
 */
const residentMiBMax = 1000
/** The last third by the one before: memory that grows without end doubles in less time. */
const growthMax = 1.25

/** A caller that uses all features one after another. */
interface Lane {
  session: Session
  lane: number
  turn: number
}

type Step = (lane: Lane) => Promise<Answer>

const large = 60_000
const text = (turn: number, length: number) => String(turn).padEnd(length, `${turn} `)

const steps: Step[] = [
  ({ session, lane, turn }) =>
    session.call('PUT', `/settings/tenant/soak.${lane}.${turn % 4}`, { value: text(turn, large) }),
  ({ session, lane, turn }) =>
    session.call('PUT', `/settings/tenant/small.${lane}.${turn % 50}`, { value: turn }),
  ({ session }) => session.call('GET', '/profile'),
  ({ session }) => session.call('GET', '/users?page_size=50'),
  ({ session }) => session.call('GET', '/audit/logs?page_size=100'),
  ({ session, turn }) =>
    session.call('POST', '/notifications', { user_id: session.userId, title: `soak ${turn}`, content: 'x' }),
  ({ session: { base, email, password } }) =>
    request(base, 'POST', '/api/v1/auth/login', { body: { email, password } }),
  async ({ session }) => {
    const answer = await request(session.base, 'POST', '/api/v1/auth/refresh', {
      body: { refresh_token: session.refreshToken },
    })
    if (answer.status === 200) session.refreshToken = (answer.data as { refresh_token: string }).refresh_token
    return answer
  },
  ({ session, lane, turn }) => session.call('GET', `/settings/tenant/soak.${lane}.${turn % 4}`),
  ({ session }) => session.call('GET', '/audit/export?resource=session&action=none'),
  ({ session, turn }) =>
    turn % 20 === 0 ? session.call('GET', '/audit/export') : session.call('GET', '/ping'),
]

const soak = async (lane: Lane, isOver: () => boolean, breaches: string[]): Promise<void> => {
  for (; !isOver(); lane.turn += 1) {
    for (const step of steps) {
      const { status, text: answer } = await step(lane)
      if (status !== 200) breaches.push(`${status} ${answer.slice(0, 120)}`)
    }
  }
}

interface Sample extends Sizes {
  lagMs: number
}

const lagOf = async (base: string): Promise<number> => {
  const { text: metrics } = await request(base, 'GET', '/metrics')
  return 1000 * Number(/^nodejs_eventloop_lag_p99_seconds ([\d.e+-]+)/m.exec(metrics)?.[1])
}

const watch = async (base: string, pid: number, ms: number): Promise<Sample[]> => {
  const samples: Sample[] = []
  for (const until = performance.now() + ms; performance.now() < until;) {
    await new Promise((resolve) => setTimeout(resolve, sampleEveryMs))
    samples.push({ ...(await sizesOf(pid)), lagMs: await lagOf(base) })
  }
  return samples
}

const peak = (samples: Sample[], of: keyof Sample): number => Math.max(...samples.map((sample) => sample[of]))

const sampleBreaches = (thirds: Sample[][]): string[] => {
  const [, second = [], last = []] = thirds
  const [before, after] = [peak(second, 'residentMiB'), peak(last, 'residentMiB')]
  return [
    ...(after > residentMiBMax ? [`${after} MiB of memory`] : []),
    ...(after > before * growthMax ? [`memory went from ${before} to ${after} MiB in the last third`] : []),
    ...(peak(last, 'files') > peak(second, 'files') + 20 ? ['the number of open files grows'] : []),
  ]
}

/** Eight clients use all features at full speed: memory and open files have to level off. */
export const proveSoak = async (root: Session, pid: number, ms: number): Promise<string> => {
  const admins = Array.from({ length: lanes }, (): Session => ({ ...root }))
  for (const lane of admins) lane.refreshToken = (await newUser(root)).refreshToken
  const breaches: string[] = []
  let isOver = false
  const lives = admins.map((session, lane): Lane => ({ session, lane, turn: lane }))
  const living = lives.map((lane) => soak(lane, () => isOver, breaches))
  const samples = await watch(root.base, pid, ms)
  isOver = true
  await Promise.all(living)
  ok(await root.call('GET', '/profile'))
  const third = Math.ceil(samples.length / 3)
  const thirds = [0, 1, 2].map((n) => samples.slice(n * third, (n + 1) * third))
  const turns = lives.reduce((sum, { turn }) => sum + turn, 0)
  const curve = thirds.map((part) => peak(part, 'residentMiB')).join(', ')
  const evidence =
    `${turns * steps.length} requests of 11 kinds in ${Math.round(ms / 1000)} s: at most ${curve} MiB in each third (bound ${residentMiBMax}), ` +
    `${peak(samples, 'files')} open files; event-loop lag ${spread(samples.map(({ lagMs }) => lagMs))}`
  const broken = [...breaches, ...sampleBreaches(thirds)]
  if (broken.length > 0) throw new Error(`${broken.slice(0, 4).join(' | ')} (${evidence})`)
  return evidence
}

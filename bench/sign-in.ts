/**
 * `npm run bench:sign-in` compares the token endpoint with the requests of the console, and both with themselves beside
 * 100,000 open sessions of applications.
 */
import { loadavg } from 'node:os'
import { Command } from 'commander'
import { answerIn, formOf, interactionOf, newRequest, openBrowser } from '../lab/browser.ts'
import { query } from '../lab/databases.ts'
import { wholeNumber } from './arguments.ts'
import {
  call,
  refreshing,
  roundOf,
  roundsOfCaller,
  runRound,
  settle,
  type Round,
  type Sample,
  type Server,
} from './contender.ts'
import { ranged, shown, spreadOf } from './figures.ts'
import { seed } from './operations.ts'
import { progress } from './progress.ts'
import { provide } from './programs.ts'
import { startRelay } from '../lab/round-trips.ts'
import type { About } from './results.ts'
import { runBench, type Own } from './runner.ts'
import { adminEnv, api, asCaller, post, rootEmail, signIn, startTenantry, type Caller } from './service.ts'
import type { Stores } from './stores.ts'
import { align, paragraph, verdictLines, type Verdict } from './tables.ts'

interface Plan {
  rounds: number
  seconds: number
  connections: number
  sessions: number
}

const names = ['/auth/refresh', 'refresh of an application', 'own profile', 'client credentials'] as const
type Name = (typeof names)[number]

const perName = <Value>(valueOf: () => Value) =>
  Object.fromEntries(names.map((name) => [name, valueOf()])) as Record<Name, Value>

interface Measured {
  samples: Record<Name, Sample[]>
  trips: Record<Name, number>
}

interface SignInResults extends About {
  plan: Plan
  /** The mean number of processes that ran or waited, in the minute before the run and in its last. */
  load: [number, number]
  few: Measured
  many: Measured
}

interface Application {
  clientId: string
  secret: string
}

const envOf = ({ databaseUrl, redisUrl }: { databaseUrl: string; redisUrl: string }) => ({
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
  TENANTRY_BCRYPT_COST: '4',
  ...adminEnv,
})

const redirectUri = 'https://app.example.com/callback'
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const newApplication = async (root: Caller): Promise<Application> => {
  const made = await post(root, '/applications', {
    name: 'Measured',
    kind: 'web',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
  })
  return { clientId: made.client_id, secret: made.secret }
}

/** Signs in with a browser of its own, and exchanges the code. */
const openSession = async (
  url: string,
  { clientId, secret }: Application,
  email: string,
): Promise<{ refresh_token: string }> => {
  const browser = openBrowser(url)
  const { params, verifier } = newRequest(clientId, redirectUri)
  const id = interactionOf(await browser.authorize(params))
  const { data } = await browser.act(id, 'password', { email, password: seed.password })
  const { code } = answerIn(data.redirect_to).params
  const body = formOf({
    grant_type: 'authorization_code',
    client_id: clientId,
    client_secret: secret,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  })
  const answer = await fetch(`${url}/oauth2/token`, { method: 'POST', headers: form, body })
  if (answer.status !== 200) throw new Error(`the exchange answers ${answer.status}`)
  return (await answer.json()) as { refresh_token: string }
}

/** The form by which a service account gets a token. */
const newKeyForm = async (root: Caller): Promise<string> => {
  const { id } = await post(root, '/service-accounts', { name: 'Measured' })
  const { secret } = await post(root, `/service-accounts/${id}/keys`, { name: 'Measured' })
  return formOf({ grant_type: 'client_credentials', client_id: `sa_${id}`, client_secret: secret })
}

/** The clients of the token endpoint: an application, and the form of a service account. */
interface Clients {
  own: Application
  keyForm: string
}

const roundsOf = (server: Server, { own, keyForm }: Clients): Record<Name, Round> => {
  const { url } = server
  const { reading } = roundsOfCaller(server, async () => (await asCaller(url, rootEmail)).headers, api)
  const credentials = { client_id: own.clientId, client_secret: own.secret }
  // The placeholder keeps its braces in a form of our own.
  const refresh = `${formOf({ grant_type: 'refresh_token', ...credentials })}&refresh_token={token}`
  const token = { method: 'POST', path: '/oauth2/token', headers: form } as const
  return {
    '/auth/refresh': refreshing(
      server,
      { method: 'POST', path: `${api}/auth/refresh`, body: { refresh_token: '{token}' } },
      () => signIn(url, rootEmail),
    ),
    'refresh of an application': refreshing(server, { ...token, body: refresh }, () =>
      openSession(url, own, rootEmail),
    ),
    'own profile': reading('/profile'),
    'client credentials': roundOf(server, async () => ({ requests: [{ ...token, body: keyForm }] })),
  }
}

/** Measures the operations in turn, round by round. */
const measureAll = async (
  server: Server,
  rounds: Record<Name, Round>,
  plan: Plan,
  title: string,
): Promise<Record<Name, Sample[]>> => {
  const samples = perName<Sample[]>(() => [])
  // The first round warms up.
  for (let at = 0; at <= plan.rounds; at += 1) {
    for (const name of names) {
      progress(`${title}: ${name}, round ${at} of ${plan.rounds}`)
      const sample = await runRound(rounds[name], plan, () => settle(server.pid))
      if (at > 0) samples[name].push(sample)
    }
  }
  return samples
}

/** Requests one after the other: seals and sweeps beside them add some round trips. */
const counted = 200

/** Round trips to both stores for one request. */
const countTrips = async (server: Server, round: Round, count: () => number): Promise<number> => {
  let load = await round.prepare(1)
  const ask = async () => {
    const answer = (await round.ask(load)) as { refresh_token?: string; data?: { refresh_token?: string } }
    const next = answer.refresh_token ?? answer.data?.refresh_token
    if (next !== undefined) load = { ...load, tokens: [next] }
  }
  await ask()
  await settle(server.pid)
  const before = count()
  for (let at = 0; at < counted; at += 1) await ask()
  return (count() - before) / counted
}

/** Counts at a replica of its own, whose way to the stores is longer. */
const countAll = async (
  { databaseUrl, redisUrl }: { databaseUrl: string; redisUrl: string },
  clients: Clients,
): Promise<Record<Name, number>> => {
  const relays = [await startRelay(databaseUrl), await startRelay(redisUrl)] as const
  const server = await startTenantry(envOf({ databaseUrl: relays[0].url, redisUrl: relays[1].url }))
  try {
    const rounds = roundsOf(server, clients)
    const trips = perName(() => 0)
    for (const name of names) {
      trips[name] = await countTrips(server, rounds[name], () => relays[0].count() + relays[1].count())
    }
    return trips
  } finally {
    await server.stop()
    for (const relay of relays) relay.stop()
  }
}

/** Copies the session of another person: no request that is measured belongs to them. */
const addSessions = async (databaseUrl: string, email: string, count: number): Promise<void> => {
  progress(`adding ${count} sessions`)
  const { rows } = await query(
    databaseUrl,
    `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
     where attrelid = 'sessions'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  )
  const columns = rows[0].columns as string
  // In a lateral join PostgreSQL makes each record once; behind `select (…).*` it makes one for each column.
  await query(
    databaseUrl,
    `insert into sessions (${columns})
     select ${columns} from
       (select to_jsonb(s) as session from sessions s join accounts a on a.id = s.account_id
        where s.application_id is not null and a.email = $1 limit 1) one,
       generate_series(1, $2::int) number,
       lateral jsonb_populate_record(null::sessions, session || jsonb_build_object('id', md5(number::text)))`,
    [email, count],
  )
  await query(databaseUrl, 'vacuum analyze sessions')
}

type Figures = Pick<SignInResults, 'few' | 'many'>

const measureSignIn = async (stores: Stores, plan: Plan): Promise<Figures> => {
  const urls = { databaseUrl: await stores.createDatabase('signin'), redisUrl: stores.redisUrl }
  const server = await startTenantry(envOf(urls))
  try {
    const { url } = server
    const root = await asCaller(url, rootEmail)
    const own = await newApplication(root)
    const other = { email: 'other@example.com', username: 'other', password: seed.password }
    await call(url, `${api}/users`, { method: 'POST', headers: root.headers, body: other })
    await openSession(url, own, other.email)
    const clients = { own, keyForm: await newKeyForm(root) }
    const rounds = roundsOf(server, clients)
    const measure = async (title: string): Promise<Measured> => ({
      samples: await measureAll(server, rounds, plan, title),
      trips: await countAll(urls, clients),
    })
    const few = await measure('few sessions')
    await addSessions(urls.databaseUrl, other.email, plan.sessions)
    return { few, many: await measure('many sessions') }
  } finally {
    await server.stop()
  }
}

const medianOf = (samples: Sample[], field: 'perSecond' | 'cpuMicros'): number =>
  spreadOf(samples.map((sample) => sample[field])).median

/** Processor time of one operation by that of another, in the same round. */
const ratioOf = ({ samples }: Measured, one: Name, other: Name) =>
  spreadOf(samples[one].map(({ cpuMicros }, round) => cpuMicros / (samples[other][round]?.cpuMicros ?? NaN)))

const judge = ({ few, many }: SignInResults): Verdict[] => {
  const ratios = [
    { one: 'refresh of an application', other: '/auth/refresh', most: 1.2 },
    { one: 'client credentials', other: 'own profile', most: 2 },
  ] as const
  const further = Math.max(...names.map((name) => many.trips[name] - few.trips[name]))
  return [
    ...ratios.map(({ one, other, most }) => {
      const ratio = ratioOf(few, one, other)
      return {
        target: `${one}: at most ${most} × ${other}`,
        measured: ranged(ratio),
        met: ratio.median <= most,
      }
    }),
    {
      target: 'many sessions: no further round trip',
      measured: further.toFixed(2),
      // Seals and sweeps beside the requests make up less than this.
      met: further < 0.1,
    },
  ]
}

const tableOf = ({ few, many }: SignInResults): string[][] => [
  ['', 'sessions', 'req/s', 'CPU µs', 'round trips', 'failed'],
  ...names.flatMap((name) =>
    [few, many].map(({ samples, trips }) => [
      name,
      trips === few.trips ? 'few' : 'many',
      shown(medianOf(samples[name], 'perSecond')),
      shown(medianOf(samples[name], 'cpuMicros')),
      trips[name].toFixed(2),
      String(samples[name].reduce((sum, { failures }) => sum + failures, 0)),
    ]),
  ),
]

const introduction = ({ date, machine: on, versions, plan, load }: SignInResults): string => {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const [before, after] = load.map((one) => one.toFixed(1))
  return paragraph(
    `${date.slice(0, 10)}, ${on}; ${named.join(', ')}. ${plan.connections} connections, ${plan.rounds} alternating rounds of ${plan.seconds} s, then again beside ${shown(plan.sessions)} open sessions of applications. × is processor time of the service in the same round: the median of the rounds and their range. Round trips are those of one request to both stores, of ${counted} requests one after the other. The load of the machine was ${before} before the run and ${after} at its end, which includes the bench itself.`,
  )
}

await runBench<Plan, Own<SignInResults>>({
  name: 'sign-in',
  command: new Command()
    .description('measure the token endpoint beside the requests of the console')
    .option('--rounds <count>', 'rounds of each', wholeNumber, 5)
    .option('--seconds <count>', 'length of a round', wholeNumber, 1)
    .option('--connections <count>', 'connections of the generator', wholeNumber, 16)
    .option('--sessions <count>', 'open sessions of applications', wholeNumber, 100_000),
  async measure(stores, plan) {
    await provide('wrk', 'wrk')
    const [before = NaN] = loadavg()
    const measured = await measureSignIn(stores, plan)
    const [after = NaN] = loadavg()
    return { plan, load: [before, after], ...measured }
  },
  report: (results) =>
    [introduction(results), align(tableOf(results)), verdictLines(judge(results))].join('\n\n'),
  judge,
})

/**
 * The floor is the least that an operation can cost: a bare `node:http` server. It verifies each token once and caches
 * the result, runs prepared statements on pipelined connections, and answers in the same envelope. It has no
 * permissions, validation, row-level security or log, and audits only settings.
 */
import { generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import pg from 'pg'

const { DATABASE_URL, PORT, TENANT_ID: tenantId = '', USER_ID: userId = '' } = process.env

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const config = { connectionString: DATABASE_URL, pipeline: true }
/** The service reads over two connections as well, in turn. */
const lanes = [new pg.Client(config), new pg.Client(config)] as const
for (const lane of lanes) await lane.connect()
let turn = 0
const writes = new pg.Pool({ ...config, max: 10, idleTimeoutMillis: 0 })

const keys = generateKeyPairSync('ed25519')
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = encode({ alg: 'EdDSA', typ: 'JWT' })

const issue = (claims: Record<string, unknown>): string => {
  const text = `${header}.${encode({ ...claims, jti: randomUUID(), exp: Date.now() / 1000 + 7200 })}`
  return `${text}.${sign(null, Buffer.from(text), keys.privateKey).toString('base64url')}`
}

interface Claims {
  exp: number
  sid: string
  generation: number
}

const read = (token: string): Claims | undefined => {
  const [head, body = '', signature = ''] = token.split('.')
  const isOurs = verify(
    null,
    Buffer.from(`${head}.${body}`),
    keys.publicKey,
    Buffer.from(signature, 'base64url'),
  )
  return isOurs ? (JSON.parse(Buffer.from(body, 'base64url').toString()) as Claims) : undefined
}

const remembered = new Map<string, Claims>()

const authenticate = ({ headers }: IncomingMessage): boolean => {
  const token = headers.authorization?.slice(7) ?? ''
  const known = remembered.get(token) ?? read(token)
  if (!known || known.exp < Date.now() / 1000) return false
  remembered.set(token, known)
  return true
}

const text = async (request: IncomingMessage): Promise<string> => {
  let whole = ''
  for await (const chunk of request.setEncoding('utf8')) whole += chunk as string
  return whole
}

const iso = (column: string) =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`

const rows = async (name: string, statement: string, values: unknown[]) => {
  turn = 1 - turn
  const lane = turn === 0 ? lanes[0] : lanes[1]
  return (await lane.query<Record<string, unknown>>({ name, text: statement, values })).rows
}

const userColumns = `id, tenant_id, username, email, nickname, avatar, status, ${iso('last_login_at')}`

const user = async (id: string) => {
  const statement = `select ${userColumns} from users where tenant_id = $1 and id = $2`
  return (await rows('user', statement, [tenantId, id]))[0]
}

const page = async (total: Promise<Record<string, unknown>[]>, items: Promise<unknown[]>) => {
  const [counted, found] = await Promise.all([total, items])
  return { items: found, total: counted[0]?.['count'], page: 1 }
}

const users = (keyword: string) => {
  const where = 'from users where tenant_id = $1 and search_folded like $2'
  const values = [tenantId, `%${keyword}%`]
  return page(
    rows('users-count', `select count(*) ${where}`, values),
    rows('users', `select ${userColumns} ${where} order by id limit 20`, values),
  )
}

const audit = () => {
  const where = 'from audit_logs where tenant_id = $1'
  const columns = `id, tenant_id, user_id, action, resource, resource_id, detail, ip, user_agent, trace_id, ${iso('created_at')}`
  return page(
    rows('audit-count', `select count(*) ${where}`, [tenantId]),
    rows('audit', `select ${columns} ${where} order by id desc limit 20`, [tenantId]),
  )
}

const roles = () =>
  rows(
    'roles',
    `select m.id, $1::uuid as tenant_id, m.name, m.description, true as is_system, coalesce((
       select json_agg(json_build_object('id', p.id, 'code', p.code, 'name', p.name, 'module', p.module,
         'description', p.description) order by p.id)
       from template_permissions tp join permissions p on p.id = tp.permission_id
       where tp.template_id = m.id), '[]') as permissions
     from role_templates m where m.id <> 1
     union all
     select r.id, r.tenant_id, r.name, r.description, false, coalesce((
       select json_agg(json_build_object('id', p.id, 'code', p.code, 'name', p.name, 'module', p.module,
         'description', p.description) order by p.id)
       from role_permissions rp join permissions p on p.id = rp.permission_id
       where rp.tenant_id = r.tenant_id and rp.role_id = r.id), '[]')
     from roles r where r.tenant_id = $1 order by id`,
    [tenantId],
  )

const unread = async () =>
  (
    await rows(
      'unread',
      'select count(*) from notifications where tenant_id = $1 and user_id = $2 and not is_read',
      [tenantId, userId],
    )
  )[0]

/**
 * Runs `work` in a transaction on a connection of its own; statements without an await between them leave in one flush.
 */
const inTransaction = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await writes.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}

const putSetting = (key: string, body: string): Promise<null> =>
  inTransaction(async (client) => {
    const { value } = JSON.parse(body) as { value: unknown }
    const upsert = `insert into tenant_settings (tenant_id, key, value, updated_at) values ($1, $2, $3, now())
      on conflict (tenant_id, key) do update set value = excluded.value, updated_at = excluded.updated_at`
    const record = `with added as (
        insert into audit_logs (tenant_id, user_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
        values ($1, $2, 'setting.update', 'setting', $3, $4, '127.0.0.1', '', '', now()) returning tenant_id, id)
      insert into audit_unsealed (tenant_id, id) select tenant_id, id from added`
    const json = JSON.stringify(value)
    await Promise.all([
      client.query('begin'),
      client.query({ name: 'upsert', text: upsert, values: [tenantId, key, json] }),
      client.query({ name: 'record', text: record, values: [tenantId, userId, key, json] }),
      client.query('commit'),
    ])
    return null
  })

/** Runs the statements of Tenantry's refresh, which decides by the third and fourth of them. */
const rotate = (sid: string): Promise<number | undefined> =>
  inTransaction(async (client) => {
    const scope = `select set_config('app.tenant_id', $1, true)`
    const tenant = 'select id from tenants where id = $1 and deleted_at is null for key share'
    const session = `select s.generation, s.rotated_at, u.status as user_status, t.status as tenant_status from sessions s
      join users u on u.tenant_id = s.tenant_id and u.id = s.user_id join tenants t on t.id = s.tenant_id
      where s.tenant_id = $1 and s.id = $2 and s.user_id = $3 for update of s`
    const next = `update sessions set generation = generation + 1, rotated_at = now(), expires_at = now() + interval '7 days'
      where tenant_id = $1 and id = $2`
    const [, , , found] = await Promise.all([
      client.query('begin'),
      client.query({ name: 'scope', text: scope, values: [tenantId] }),
      client.query({ name: 'tenant', text: tenant, values: [tenantId] }),
      client.query<{ generation: number }>({
        name: 'session',
        text: session,
        values: [tenantId, sid, userId],
      }),
    ])
    await Promise.all([
      client.query({ name: 'next', text: next, values: [tenantId, sid] }),
      client.query('commit'),
    ])
    return found.rows[0]?.generation
  })

const pairOf = (sid: string, generation: number) => ({
  access_token: issue({ sid, generation, token_use: 'access' }),
  refresh_token: issue({ sid, generation, token_use: 'refresh' }),
  expires_in: 7200,
})

const refresh = async (body: string) => {
  const claims = read((JSON.parse(body) as { refresh_token: string }).refresh_token)
  const generation = claims && (await rotate(claims.sid))
  return claims && generation === claims.generation ? pairOf(claims.sid, generation + 1) : undefined
}

/** Opens a session for the bench. */
const open = async () => {
  const sid = randomUUID()
  await writes.query(
    `insert into sessions (tenant_id, id, user_id, account_id, rotated_at, created_at, expires_at)
     select tenant_id, $2, id, account_id, now(), now(), now() + interval '7 days' from users
     where tenant_id = $1 and id = $3`,
    [tenantId, sid, userId],
  )
  return pairOf(sid, 0)
}

const handlers: Record<string, (request: IncomingMessage, url: URL) => Promise<unknown>> = {
  '/ping': async () => ({ message: 'pong' }),
  '/profile': () => user(userId),
  '/user': (_request, url) => user(url.searchParams.get('id') ?? ''),
  '/users': (_request, url) => users(url.searchParams.get('search') ?? ''),
  '/roles': roles,
  '/audit': audit,
  '/unread': unread,
  '/setting': async (request, url) => putSetting(url.searchParams.get('key') ?? '', await text(request)),
}

const publicHandlers: typeof handlers = {
  '/health': async () => ({ status: 'ok' }),
  '/refresh': async (request) => refresh(await text(request)),
  '/session': open,
}

const answer = async (request: IncomingMessage): Promise<[status: number, data: unknown]> => {
  const url = new URL(request.url ?? '/', 'http://floor')
  const handler = publicHandlers[url.pathname] ?? (authenticate(request) ? handlers[url.pathname] : undefined)
  const data = await handler?.(request, url)
  return data === undefined ? [401, null] : [200, data]
}

createServer((request, response) => {
  answer(request).then(
    ([status, data]) => {
      const trace = randomUUID().replaceAll('-', '')
      const body = JSON.stringify({
        code: status === 200 ? 0 : status,
        message: 'success',
        data,
        trace_id: trace,
      })
      response.writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      })
      response.end(body)
    },
    (err: unknown) => response.writeHead(500).end(String(err)),
  )
}).listen(Number(PORT), '127.0.0.1')

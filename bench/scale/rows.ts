/*
 * Inserts the many rows by SQL: as the role of requests, in the scope of the tenant,
 * so that every policy and constraint applies. `generate_series` makes the rows. COPY does not support row-level
 * security and is no faster, since the time goes into indexes.
 */
import pg from 'pg'
import { keywords, type Size } from './ladder.ts'

/** Runs `work` in one transaction with this role and scope. */
const inScope = async <T>(
  client: pg.Client,
  { role = 'tenantry_app', tenantId }: { role?: string; tenantId: string },
  work: () => Promise<T>,
): Promise<T> => {
  await client.query('begin')
  try {
    await client.query("select set_config('role', $1, true), set_config('app.tenant_id', $2, true)", [
      role,
      tenantId,
    ])
    const result = await work()
    await client.query('commit')
    return result
  } catch (err) {
    await client.query('rollback')
    throw err
  }
}

const listed = (texts: string[]) => `array[${texts.map((text) => pg.escapeLiteral(text)).join(', ')}]`

/** Twenty names, so that each belongs to one user in twenty. */
const firstNames =
  'Ada Ben Carla Dora Emil Felix Greta Hugo Ines Jonas Klara Lena Matilda Nils Olga Paul Rosa Sven Ulla Viktor'.split(
    ' ',
  )
const syllables = 'ber cor dal fen gar hol jin kes lor mun nor pel ros sul tor vek wil yar zan bri'.split(' ')

const picked = (texts: string[], by: string) => `(${listed(texts)})[1 + (${by}) % ${texts.length}]`

const surname = `initcap(${['n', 'n / 20 * 7', 'n / 400 * 3'].map((by) => picked(syllables, by)).join(' || ')})`

/**
 * $1 tenant, $2 and $3 first and last number, $4 total, $5 host of the e-mail addresses, $6 account whose password all
 * get.
 */
const usersText = `
  with wanted as (
    select n, 'u' || lpad(n::text, 8, '0') as username, ${picked(firstNames, 'n * 7')} || ' ' ||
      case when n % greatest($4::int / 10, 1) = 0 then '${keywords.rare}' else ${surname} end as nickname
    from generate_series($2::int, $3::int) n
  ), created as (
    insert into accounts (email, email_folded, password_hash, password_scheme)
    select username || '@' || $5, username || '@' || $5, a.password_hash, a.password_scheme
    from wanted, (select password_hash, password_scheme from accounts where email = $6) a
    order by n
    returning id, email
  ), added as (
    insert into users (tenant_id, account_id, email, username, username_folded, nickname, search_folded, status,
      last_seen_on, created_at, updated_at)
    select $1, c.id, email, username, username, nickname, username || E'\\n' || email || E'\\n' || lower(nickname),
      case when n % 50 = 0 then 0 else 1 end, current_date - n % 60,
      now() - interval '365 days' * (1 - n::float / $4), now()
    from wanted join created c on email = username || '@' || $5
    order by n
    returning id, right(username, 8)::int as n
  ), described as (
    insert into user_attributes (tenant_id, user_id, key, value, folded, updated_at)
    select $1, id, key, to_jsonb(value), value, now()
    from added, lateral (values ('area', 'a' || n % 20), ('office', 'o' || n % 1000)) as v (key, value)
  )
  insert into user_roles (tenant_id, user_id, role_id)
  select $1, added.id, m.id from added join role_templates m on m.name = 'member'`

/** Shares in percent: 1, 1, 40, 20, 10, 10, 5 and 13. The prime numbers spread them evenly. */
const actionOf = `
  case when m = 0 then 'user.delete' when m = 1 then 'role.delete' when m < 42 then 'auth.login'
    when m < 62 then 'user.update' when m < 72 then 'setting.update' when m < 82 then 'notification.create'
    when m < 87 then 'role.update' else 'user.create' end`

/** One user makes 1 % of all changes, all users sign in, and one user in a thousand makes the other changes. */
const actorOf = `
  $5 + case when n % 100 = 0 then 0 when action = 'auth.login' then n * 7919 % $6
    else 1 + n * 7919 % least($6 - 1, greatest(10, $6 / 1000)) end`

/** $1 tenant, $2 and $3 first and last number, $4 total, $5 first user, $6 number of users. */
const recordsText = `
  with recorded as (
    insert into audit_logs
      (tenant_id, user_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
    select $1, ${actorOf}, action, split_part(action, '.', 1), n,
      case when action = 'user.delete' then '{"created_at":{"from":"2025-01-01T00:00:00.000Z","to":null}}'
        else '{"nickname":{"from":"","to":"Ada"}}' end::json,
      '192.0.2.' || n % 256, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', md5(n::text),
      now() - interval '90 days' * (1 - n::float / $4)
    from generate_series($2::bigint, $3::bigint) n,
      lateral (select n * 7919 % 10007 % 100 as m) mixed, lateral (select ${actionOf} as action) named
    returning tenant_id, id
  )
  insert into audit_unsealed (tenant_id, id) select tenant_id, id from recorded`

/** Rows of one transaction, which takes some seconds. */
const chunkRows = { users: 20_000, records: 100_000 }

interface Chunk {
  first: number
  last: number
}

const chunksOf = (count: number, rows: number): Chunk[] =>
  Array.from({ length: Math.ceil(count / rows) }, (_, chunk) => ({
    first: chunk * rows + 1,
    last: Math.min(count, (chunk + 1) * rows),
  }))

/** Called after each chunk with the number of its rows. */
type OnRows = (of: keyof Size, rows: number) => void

interface Seeded extends Size {
  id: string
  slug: string
}

const insertUsers = async (client: pg.Client, tenant: Seeded, passwordOf: string, onRows: OnRows) => {
  for (const { first, last } of chunksOf(tenant.users, chunkRows.users)) {
    await inScope(client, { tenantId: tenant.id }, () =>
      client.query(usersText, [
        tenant.id,
        first,
        last,
        tenant.users,
        `${tenant.slug}.example.com`,
        passwordOf,
      ]),
    )
    onRows('users', last - first + 1)
  }
}

/** The ids of the seeded users are consecutive. */
const selectUserIds = (client: pg.Client, tenantId: string): Promise<{ low: number; high: number }> =>
  inScope(client, { tenantId }, async () => {
    const { rows } = await client.query(
      `select min(id)::float8 as low, max(id)::float8 as high from users where tenant_id = $1 and username ~ '^u\\d{8}$'`,
      [tenantId],
    )
    return rows[0]
  })

/** Inserts audit records of two users, which the service seals. */
export const insertRecords = (
  client: pg.Client,
  { tenantId, userId, count }: { tenantId: string; userId: number; count: number },
): Promise<unknown> =>
  inScope(client, { tenantId }, () => client.query(recordsText, [tenantId, 1, count, count, userId, 2]))

/** Inserts a tenant's users and audit records, and resolves with the first and last user id. */
export const insertRows = async (
  client: pg.Client,
  tenant: Seeded,
  passwordOf: string,
  onRows: OnRows,
): Promise<{ low: number; high: number }> => {
  await insertUsers(client, tenant, passwordOf, onRows)
  const { low, high } = await selectUserIds(client, tenant.id)
  for (const { first, last } of chunksOf(tenant.records, chunkRows.records)) {
    await inScope(client, { tenantId: tenant.id }, () =>
      client.query(recordsText, [tenant.id, first, last, tenant.records, low, high - low + 1]),
    )
    onRows('records', last - first + 1)
  }
  return { low, high }
}

/** Counts the audit records of all tenants that wait to be sealed. */
export const countUnsealed = (client: pg.Client): Promise<number> =>
  inScope(client, { role: 'tenantry_seal', tenantId: '' }, async () => {
    const { rows } = await client.query('select count(*)::int as count from audit_unsealed')
    return Number(rows[0].count)
  })

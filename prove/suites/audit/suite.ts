import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { refuteNothing } from '../../attack.ts'
import { newTenant, ok, type Session } from '../../../lab/client.ts'
import { runCommand } from '../../../lab/replica.ts'
import type { Prove, Suite } from '../../suite.ts'
import type { Target } from '../../target.ts'

/** A tenant with an audit history. */
interface Trail {
  root: Session
  id: string
  admin: Session
}

const openTrail = async (root: Session, records: number): Promise<Trail> => {
  const { id, admin } = await newTenant(root)
  for (let n = 0; n < records; n += 1) ok(await admin.call('PUT', '/settings/tenant/trail', { value: n }))
  return { root, id, admin }
}

const exportSealed = async ({ admin }: Trail): Promise<string[]> => {
  const { status, text } = await admin.call('GET', '/audit/export?format=sealed')
  if (status !== 200) throw new Error(`the export answers ${status}: ${text.slice(0, 200)}`)
  return text.split('\n').slice(0, -1)
}

/** A change to an export, and the message with which the check has to name it. */
interface Forgery {
  what: string
  lines: string[]
  says: string
}

const idOf = (line = '{}') => (JSON.parse(line) as { id?: number }).id

const forgeriesOf = (lines: string[]): Forgery[] => {
  const at = lines.flatMap((line, index) => (idOf(line) === undefined ? [] : [index]))
  // Both records belong to one seal: a record moved into another seal is first missed in its own.
  const pairs = at.filter((index) => at.includes(index + 1))
  const first = pairs[Math.floor(pairs.length / 2)] ?? 0
  const second = first + 1
  const [one, two] = [lines[first] ?? '', lines[second] ?? '']
  const last = at.at(-1) ?? 0
  return [
    {
      what: 'changed',
      lines: lines.with(first, one.replace('"ip":"', '"ip":"1')),
      says: `record ${idOf(one)} was changed`,
    },
    { what: 'removed', lines: lines.toSpliced(first, 1), says: `record ${idOf(one)} was removed` },
    {
      what: 'reordered',
      lines: lines.with(first, two).with(second, one),
      says: `record ${idOf(two)} stands where ${idOf(one)} was sealed`,
    },
    {
      what: 'added',
      lines: lines.toSpliced(first, 0, JSON.stringify({ ...JSON.parse(one), id: 4_000_000_000 })),
      says: 'record 4000000000 was never sealed',
    },
    {
      what: 'cut off',
      lines: lines.slice(0, last),
      says: `cut off after record ${idOf(lines[at.at(-2) ?? 0])}`,
    },
  ]
}

/** Checks a sealed export as its holder does: only with the command, without service and database. */
const proveExport = async (trail: Trail): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-prove-'))
  const file = join(folder, 'export.ndjson')
  const check = async (lines: string[]) => {
    await writeFile(file, lines.map((line) => `${line}\n`).join(''))
    return runCommand(['audit', 'verify', '--file', file])
  }
  try {
    const lines = await exportSealed(trail)
    const sound = await check(lines)
    if (sound.code !== 0) throw new Error(`an unaltered export is refused: ${sound.output}`)
    const breaches: string[] = []
    const forgeries = forgeriesOf(lines)
    for (const { what, lines: forged, says } of forgeries) {
      const { code, output } = await check(forged)
      if (code !== 1 || !output.includes(says)) breaches.push(`${what}: code ${code}, ${output.slice(-200)}`)
    }
    refuteNothing(breaches)
    const names = forgeries.map(({ what }) => what).join(', ')
    return `${lines.filter((line) => idOf(line) !== undefined).length} records checked without service or database; ${names}: each found, and the record named`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs SQL as the owner of the database, past all protection in the service. */
const asOwner = async (databaseUrl: string, text: string, values: unknown[]): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await client.query(text, values)
  } finally {
    await client.end()
  }
}

/** Waits until all records of the tenant are sealed. */
const awaitSeals = async (databaseUrl: string, id: string): Promise<void> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const { rowCount } = await asOwner(databaseUrl, 'select from audit_unsealed where tenant_id = $1', [id])
    if (rowCount === 0) return
    await sleep(100)
  }
  throw new Error('records were not sealed within ten seconds')
}

const verify = (env: Record<string, string>, tenant: string) =>
  runCommand(['audit', 'verify', '--tenant', tenant], env)

const proveDatabase = async (trail: Trail, env: Record<string, string>): Promise<string> => {
  const url = env['DATABASE_URL'] ?? ''
  await awaitSeals(url, trail.id)
  const sound = await verify(env, trail.id)
  if (sound.code !== 0) throw new Error(`an unaltered log is refused: ${sound.output}`)
  const { rows } = await asOwner(
    url,
    'select id from audit_logs where tenant_id = $1 order by id offset 5 limit 1',
    [trail.id],
  )
  const id = Number((rows as { id: string }[])[0]?.id)
  await asOwner(url, "update audit_logs set ip = '192.0.2.1' where tenant_id = $1 and id = $2", [
    trail.id,
    id,
  ])
  const changed = await verify(env, trail.id)
  await asOwner(url, 'delete from audit_logs where tenant_id = $1 and id = $2', [trail.id, id])
  const removed = await verify(env, trail.id)
  const breaches = [
    ...(changed.output.includes(`record ${id} was changed`) ? [] : [`changed: ${changed.output}`]),
    ...(removed.output.includes(`record ${id} was removed`) ? [] : [`removed: ${removed.output}`]),
  ]
  refuteNothing(breaches)
  return `record ${id} changed, then removed, by the owner of the database: found each time`
}

const proveTombstone = async ({ root, id }: Trail, env: Record<string, string>): Promise<string> => {
  await awaitSeals(env['DATABASE_URL'] ?? '', id)
  ok(await root.call('DELETE', `/org/tenants/${id}`))
  for (let tries = 0; tries < 50; tries += 1) {
    const { code, output } = await verify(env, id)
    const [, records] = /^erased .* with (\d+) records, head /m.exec(output) ?? []
    const evidence = `a signed head covers the ${records} records of an erased tenant`
    if (code === 0 && records !== undefined) return evidence
    await sleep(200)
  }
  throw new Error('no tombstone after ten seconds')
}

const prove = async ({ root, env, short }: Target, record: Prove): Promise<void> => {
  const trail = await openTrail(root, short ? 20 : 2500)
  await record('the offline check of an export finds every alteration and names the record', () =>
    proveExport(trail),
  )
  if (env?.['DATABASE_URL'] === undefined) {
    await root.call('DELETE', `/org/tenants/${trail.id}`)
    return
  }
  await record(
    'the check of the log finds an alteration by the owner of the database and names the record',
    () => proveDatabase(trail, env),
  )
  await root.call('DELETE', `/org/tenants/${trail.id}`)
  const other = await openTrail(root, 5)
  await record('erasing a tenant leaves a signed tombstone', () => proveTombstone(other, env))
}

export const audit: Suite = { name: 'audit', kinds: ['embedded', 'services', 'given'], prove }

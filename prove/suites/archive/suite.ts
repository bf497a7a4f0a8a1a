import { setTimeout as sleep } from 'node:timers/promises'
import { newTenant, ok, signIn, type Answer } from '../../../lab/client.ts'
import { createDatabase } from '../../../lab/databases.ts'
import { findProgram, finish, run } from '../../../lab/processes.ts'
import { startReplica } from '../../../lab/replica.ts'
import { refuteNothing } from '../../attack.ts'
import { randomBy, seedOf } from '../../seed.ts'
import type { Prove, Suite } from '../../suite.ts'
import type { Target } from '../../target.ts'
import {
  call,
  check,
  command,
  moveAll,
  moveBack,
  must,
  restart,
  runAndKill,
  sealed,
  untilNone,
  withStage,
  write,
  type Stage,
} from './stage.ts'

/** The usual duration of a command. Kills come at any moment of it. */
const commandMs = 2500

const proveKills = async (stage: Stage): Promise<string> => {
  const rounds = stage.short ? 2 : 40
  const random = randomBy(seedOf())
  for (let round = 0; round < rounds; round += 1) {
    for (const args of [moveAll, moveBack]) {
      await runAndKill(stage, args, 300 + random() * commandMs)
      await check(stage)
      await must(stage, ...args)
      await write(stage, 1)
      await check(stage)
    }
  }
  return `${2 * rounds} commands killed, finished by the next one; ${stage.known.size} records, each once, and the chain sound`
}

const proveKilledArchive = async (stage: Stage): Promise<string> => {
  const rounds = stage.short ? 1 : 10
  const random = randomBy(seedOf())
  for (let round = 0; round < rounds; round += 1) {
    const moving = command(stage, ...moveAll)
    await sleep(500 + random() * 1500)
    await stage.there.kill()
    await moving
    await stage.there.start()
    await check(stage)
    await must(stage, ...moveAll)
    await check(stage)
    await must(stage, ...moveBack)
  }
  return `${rounds} times an archive killed in the middle; ${stage.known.size} records, each once`
}

const awayCode = 50_306

/** A reading that needs the archive. */
const readOld = (stage: Stage): Promise<Answer> => call(stage, 'GET', '/audit/logs?page_size=200&page=3')

const requireService = async (stage: Stage): Promise<number> => {
  const { replica, root } = stage
  const startedAt = performance.now()
  await write(stage, 10)
  await signIn(replica.url, root.email, root.password)
  ok(await call(stage, 'GET', '/audit/logs?page_size=5'))
  const from = encodeURIComponent(new Date(Date.now() + 2 * 86_400_000).toISOString())
  // After the period of the archive: the orders of ids and times differ by at most a day.
  ok(await call(stage, 'GET', `/audit/logs?page_size=200&from=${from}`))
  await sealed(stage)
  return performance.now() - startedAt
}

/** Each reading has to be refused, and at least one by the code of archives: a frozen server shows as any slow statement. */
const faultsOf = (answers: Answer[]): string[] => {
  const codes = answers.map(({ status, body }) => (status === 503 ? Number(body.code) : status))
  const wrong = codes.filter((code) => code !== awayCode && code !== 50_302)
  return [
    ...wrong.map((code) => `a reading of the archive is answered ${code}`),
    ...(codes.includes(awayCode) ? [] : ['no answer names the archive']),
  ]
}

const isWholeAgain = async (stage: Stage, whole: number): Promise<boolean> => {
  for (let tries = 0; tries < 50; tries += 1) {
    const { status, data } = await readOld(stage)
    if (status === 200) return data.items.length === whole
    await sleep(500)
  }
  return false
}

/** Repeats work for some seconds: a busy machine can refuse a reading, or still close connections to the archive. */
const soon = async <T>(work: () => Promise<T>, endsAt = performance.now() + 8000): Promise<T> => {
  try {
    return await work()
  } catch (err) {
    if (performance.now() > endsAt) throw err
    await sleep(200)
    return soon(work, endsAt)
  }
}

const proveAway = async (
  stage: Stage,
  fail: () => Promise<void> | void,
  mend: () => Promise<void> | void,
) => {
  const whole = await soon(async () => ok(await readOld(stage)).items.length as number)
  await fail()
  let breaches: string[] = []
  let took = 0
  try {
    breaches = faultsOf(await Promise.all(Array.from({ length: 4 }, () => readOld(stage))))
    await soon(() => write(stage, 1))
    took = await requireService(stage)
  } finally {
    await mend()
  }
  if (!(await isWholeAgain(stage, whole))) breaches.push('the list is not whole afterwards')
  refuteNothing(breaches)
  await check(stage)
  return `writes, a sign-in, young readings and sealing took ${Math.round(took)} ms meanwhile`
}

const proveReadOnly = async (stage: Stage): Promise<string> => {
  const { there } = stage
  await there.query('alter database postgres set default_transaction_read_only = on')
  const { code } = await command(stage, ...moveAll)
  await there.query('begin read write; alter database postgres reset default_transaction_read_only; commit')
  if (code !== 1) throw new Error(`a move to an archive that takes no writes ends with ${code}`)
  const records = await check(stage)
  await must(stage, ...moveAll)
  await check(stage)
  await must(stage, ...moveBack)
  return `${records} records stayed, and went over when the archive took writes`
}

/** The primary as it was before a partition moved. */
const proveRestored = async (stage: Stage): Promise<string> => {
  const { here, there, env } = stage
  const pgDump = findProgram('pg_dump', 'postgresql')
  const dump = await run({ program: pgDump, args: ['-d', here.url] })
  await must(stage, ...moveAll)
  const moved = await there.query<{ count: string }>('select count(*) from audit_logs_first')
  const url = await createDatabase(here.url, 'restored')
  const psql = findProgram('psql', 'postgresql')
  const filled = await finish({ program: psql, args: ['-q', '-v', 'ON_ERROR_STOP=1', '-d', url] }, dump)
  if (filled.code !== 0) throw new Error(`the dump is not restored: ${filled.stderr}`)
  await here.query('alter database restored owner to tenantry_owner')
  const restored = { env: { ...env, DATABASE_URL: url.replace('postgres@', 'tenantry_owner@') } }
  await must(restored, 'verify')
  const lines = await must(restored, ...moveAll)
  if (!lines.includes('moved')) throw new Error('the restored primary moves nothing')
  await must(restored, 'verify')
  const replica = await startReplica(restored.env)
  await replica.stop()
  await must(stage, ...moveBack)
  // The archive accepts only the passwords of the restored primary.
  await here.query('drop server tenantry_archive_old cascade')
  return `${moved[0]?.count} records in the archive, taken as they stood there`
}

const rowsThere = (tenantId: string): string =>
  `select from audit_logs_first where tenant_id = '${tenantId}' limit 1`

/** A removed tenant waits for the archive, and nothing of it is left afterwards. */
const proveRemoval = async (stage: Stage): Promise<string> => {
  const { root, here, there, tenantId } = stage
  await must(stage, ...moveAll)
  await there.kill()
  const other = await newTenant(root)
  ok(await root.call('DELETE', `/org/tenants/${tenantId}`))
  await sleep(2000)
  const waits = await here.query(`select from tenants where id = '${tenantId}'`)
  if (waits.length === 0) throw new Error('the tenant is gone while its records are not')
  const early = await here.query(`select from audit_tombstones where id = '${tenantId}'`)
  if (early.length > 0) throw new Error('a tombstone says that the tenant is gone while its records are not')
  await there.start()
  await restart(stage)
  await untilNone(here, `select from tenants where id = '${tenantId}'`, 'the tenant is there')
  await untilNone(there, rowsThere(tenantId), 'records of the tenant are in the archive')
  await must(stage, 'verify', '--tenant', tenantId)
  ok(await other.admin.call('GET', '/audit/logs'))
  return 'its row waited for the archive; no record is left'
}

/** Expired records leave the archive as well; those that a crash left wait in a queue. */
const proveRetention = async (stage: Stage): Promise<string> => {
  const { here, there } = stage
  await must(stage, ...moveAll)
  ok(await call(stage, 'PUT', '/settings/tenant/audit.retention_days', { value: 60 }))
  await there.kill()
  await restart(stage)
  await sleep(1000)
  await there.start()
  await restart(stage)
  const old = `select from audit_logs_first where created_at < now() - interval '60 days' limit 1`
  await untilNone(there, old, 'expired records are in the archive')
  await untilNone(here, 'select from audit_leftovers limit 1', 'records wait to be deleted')
  stage.known.clear()
  await sealed(stage)
  const left = await check(stage)
  await must(stage, ...moveBack)
  return `${left} records are left, and the chain is sound`
}

const proveAll = async (stage: Stage, record: Prove): Promise<void> => {
  const { there } = stage
  await record(
    'a move to another server that is killed anywhere leaves each record in one readable place',
    () => proveKills(stage),
  )
  await record('an archive that is killed in the middle of a move loses no record', () =>
    proveKilledArchive(stage),
  )
  await record('an archive that takes no writes leaves the records here', () => proveReadOnly(stage))
  await record('a primary that is older than its archive reads every record, and moves it again', () =>
    proveRestored(stage),
  )
  await must(stage, ...moveAll)
  await record('while an archive is away all else goes on, and no list is shorter', () =>
    proveAway(
      stage,
      () => there.kill(),
      () => there.start(),
    ),
  )
  await record('while an archive is frozen all else goes on, and no list is shorter', () =>
    proveAway(
      stage,
      () => there.freeze(),
      () => there.thaw(),
    ),
  )
  await must(stage, ...moveBack)
  await record('expired records leave an archive, also when it was away', () => proveRetention(stage))
  await record('a removed tenant leaves an archive, also when it was away', () => proveRemoval(stage))
}

const prove = (target: Target, record: Prove): Promise<void> =>
  withStage(target, (stage) => proveAll(stage, record)).catch((err: unknown) =>
    record('the servers for these proofs start', () => Promise.reject(new Error(String(err)))),
  )

export const archive: Suite = { name: 'archive', kinds: ['services'], prove }

import { CompactSign, generateKeyPair } from 'jose'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import {
  asOwner,
  breachOf,
  headOf,
  newChain,
  ownerRows,
  sealRecords,
  sealsOf,
  verdictOn,
  writeRecords,
  type Chain,
} from '../../../../test/audit-chain.ts'
import { manyTenants, newTenant, unique } from '../../../../test/factories.ts'
import { clock, parts } from '../../../../test/harness.ts'
import type { Store, TransactionDb } from '../../../db/client.ts'
import { onPostgres } from '../../../../test/test-database.ts'
import { systemCtx } from '../../../start/parts.ts'
import { selectUnsealedIds } from './chain.store.ts'
import { getAuditKeys } from './keys.service.ts'
import { rotateSigningKeys } from '../../tenancy/system/key-rotation.service.ts'
import { sealCommitted, sealWaiting } from './seal.service.ts'
import { trustOwnKeys, verifyAll, verifyOne } from './verify.service.ts'

const insertRecord = (tenantId: string, action = 'a.b', rows = 1) => sql`
  with added as (
    insert into audit_logs (tenant_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
    select ${tenantId}::uuid, ${action}, 'a', n::text, '{}', '', '', '', ${clock.now()}
    from generate_series(1, ${rows}::int) n
    returning tenant_id, id
  )
  insert into audit_unsealed (tenant_id, id) select tenant_id, id from added returning id`

/** The ids of new tenants, each with one waiting record. */
const tenantsWithARecord = async (count: number): Promise<string[]> => {
  const mark = unique('m')
  await manyTenants(mark, count)
  const tenants = await ownerRows<{ id: string }>(sql`select id from tenants where slug like ${`${mark}-%`}`)
  for (const { id } of tenants) await parts.store.scoped({ tenantId: id }).run(insertRecord(id))
  return tenants.map(({ id }) => id)
}

/** The store, which calls `begin` before each statement of a transaction. */
const watchedStore = (begin: () => (statement: Sql) => void): Store => {
  const watched = (db: TransactionDb, before: (statement: Sql) => void): TransactionDb => ({
    many: async (statement) => {
      before(statement)
      return db.many(statement)
    },
    one: async (statement) => {
      before(statement)
      return db.one(statement)
    },
    only: async (statement) => {
      before(statement)
      return db.only(statement)
    },
    run: async (statement) => {
      before(statement)
      return db.run(statement)
    },
    send: (statement) => {
      before(statement)
      db.send(statement)
    },
  })
  return {
    ...parts.store,
    transaction: (scope, work, role) =>
      parts.store.transaction(scope, (db) => work(watched(db, begin())), role),
  }
}

const columns = raw('user_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at')

/** Swaps the contents of two records. */
const swapRecords = (tenantId: string, one: number, other: number) => sql`
  update audit_logs a set (${columns}) = (
    select ${columns} from audit_logs b where b.tenant_id = a.tenant_id and b.id = ${one + other}::bigint - a.id)
  where tenant_id = ${tenantId} and id in (${join([one, other])})`

const setStatement = (id: string, sequence: number, from: Sql) =>
  sql`update audit_seals set statement = (${from}) where tenant_id = ${id} and sequence = ${sequence}`

const statementOf = (id: string, sequence: number) =>
  sql`select statement from audit_seals where tenant_id = ${id} and sequence = ${sequence}`

const currentHead = async (id: string): Promise<string> => {
  const [row] = await ownerRows<{ statement: string }>(
    sql`select statement from audit_heads where tenant_id = ${id}`,
  )
  return row?.statement ?? ''
}

const payloadOf = (statement: string): object =>
  JSON.parse(Buffer.from(statement.split('.')[1] ?? '', 'base64url').toString()) as object

/** The same statement with a stranger's signature. The key name is `kid`, or else the original one. */
const signedByStranger = async (statement: string, kid?: string): Promise<string> => {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
  const { kid: own } = JSON.parse(Buffer.from(statement.split('.')[0] ?? '', 'base64url').toString())
  return new CompactSign(Buffer.from(JSON.stringify(payloadOf(statement))))
    .setProtectedHeader({ alg: 'EdDSA', kid: kid ?? own })
    .sign(privateKey)
}

describe('a sealed chain', () => {
  test('is sound, and says how many records it has and how many wait to be sealed', async () => {
    const { tenant, id, seals } = await newChain()
    await writeRecords(tenant)
    expect(await verdictOn(id)).toEqual({
      tenant: `${tenant.slug} (${id})`,
      summary: {
        records: seals.flat().length,
        seals: 3,
        head: { sequence: 3, position: seals.flat().length, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
      waiting: 3,
    })
  })

  test('the chain of a tenant is found by its slug, and among all tenants', async () => {
    const { tenant, id } = await newChain()
    const trust = { keys: await trustOwnKeys(parts) }
    expect(await verifyOne(parts, tenant.slug, trust)).toEqual(await verdictOn(id))
    const names: string[] = []
    for await (const verdict of verifyAll(parts, trust)) names.push(verdict.tenant)
    expect(names).toContain(`${tenant.slug} (${id})`)
    await expect(verifyOne(parts, 'nobody', trust)).rejects.toThrow('there is no tenant nobody')
  })

  test('holds each record once, however many processes seal at once', async () => {
    const tenant = await newTenant()
    const db = parts.store.scoped({ tenantId: tenant.id })
    for (let round = 0; round < 3; round += 1) {
      await db.run(insertRecord(tenant.id, 'bulk.add', 1500))
      await Promise.all([
        ...Array.from({ length: 3 }, () => sealCommitted(parts, tenant.id)),
        ...Array.from({ length: 3 }, () => sealWaiting(parts)),
      ])
    }
    const sealed = (await sealsOf(tenant.id)).flat()
    const all = await db.many<{ id: number }>(sql`select id from audit_logs order by id`)
    expect(sealed.toSorted((a, b) => a - b)).toEqual(all.map(({ id }) => id))
    expect(await breachOf(tenant.id)).toBeUndefined()
  })

  test('is sealed once where several seal all tenants at once, and hardly tried by the others', async () => {
    await sealWaiting(parts)
    const tenants = await tenantsWithARecord(60)
    const tried: string[] = []
    const store = watchedStore(() => {
      const known = new Set<string>()
      return ({ text, values }) => {
        // The search for one tenant names the tenant before it.
        const named = text.includes('recursive') ? [] : tenants.filter((id) => values.includes(id))
        tried.push(...named.filter((id) => !known.has(id)))
        for (const id of named) known.add(id)
      }
    })
    await Promise.all(Array.from({ length: 4 }, () => sealWaiting({ ...parts, store })))
    for (const id of tenants) expect((await sealsOf(id)).map((ids) => ids.length)).toEqual([1])
    expect(new Set(tried).size).toBe(tenants.length)
    expect(tried.length).toBeLessThan(1.3 * tenants.length)
  })

  test('holds all waiting records of its tenant, also when they need several seals', async () => {
    const [id = '', ...others] = await tenantsWithARecord(3)
    await parts.store.scoped({ tenantId: id }).run(insertRecord(id, 'bulk.add', 2200))
    await sealWaiting(parts)
    expect((await sealsOf(id)).map((ids) => ids.length)).toEqual([1000, 1000, 201])
    for (const other of others) expect((await sealsOf(other)).map((ids) => ids.length)).toEqual([1])
  })

  test('is whole after one of several sealers has died', async () => {
    const tenants = await tenantsWithARecord(20)
    let left = 30
    const dying = watchedStore(() => () => {
      if (left-- <= 0) throw new Error('the process died')
    })
    await Promise.all([sealWaiting({ ...parts, store: dying }), sealWaiting(parts)])
    await sealWaiting(parts)
    for (const id of tenants) {
      expect((await sealsOf(id)).map((ids) => ids.length)).toEqual([1])
      expect(await breachOf(id)).toBeUndefined()
    }
  })

  test.runIf(onPostgres)('is in the order of the commits: a late commit is sealed late', async () => {
    const { id } = await newTenant()
    await sealRecords(id)
    let commit = () => {}
    const committed = new Promise<void>((resolve) => {
      commit = resolve
    })
    let inserted = () => {}
    const begun = new Promise<void>((resolve) => {
      inserted = resolve
    })
    const late = parts.store.transaction({ tenantId: id }, async (db) => {
      await db.run(insertRecord(id, 'late.commit'))
      inserted()
      await committed
    })
    await begun
    await parts.store.scoped({ tenantId: id }).run(insertRecord(id, 'early.commit'))
    await sealRecords(id)
    expect(await breachOf(id)).toBeUndefined()
    commit()
    await late
    await sealRecords(id)
    const [early = [], last = []] = (await sealsOf(id)).slice(-2)
    expect([early.length, last.length]).toEqual([1, 1])
    expect(Number(last[0])).toBeLessThan(Number(early[0]))
    expect(await breachOf(id)).toBeUndefined()
  })

  test('is sound after a crash at every statement of a sealing', async () => {
    const tenant = await newTenant()
    const dyingAt = (statements: number): Store => {
      let left = statements
      return watchedStore(() => () => {
        if (left-- === 0) throw new Error('the process died')
      })
    }
    let deaths = 0
    for (let isDead = true; isDead; deaths += isDead ? 1 : 0) {
      await writeRecords(tenant)
      isDead = await sealCommitted({ ...parts, store: dyingAt(deaths) }, tenant.id).then(
        () => false,
        () => true,
      )
      expect(await breachOf(tenant.id)).toBeUndefined()
    }
    // Six statements: the lock of the tenant, three reads, the lock of the numbers, and one write.
    expect(deaths).toBe(6)
    await sealRecords(tenant.id)
    expect(await verdictOn(tenant.id)).toMatchObject({ waiting: 0 })
  })
})

interface Attack {
  name: string
  plant: (chain: Chain) => Promise<unknown>
  found: (chain: Chain) => string
}

const at = (seals: number[][], seal: number, index = 0): number => seals[seal]?.at(index) ?? Number.NaN

const attacks: Attack[] = [
  {
    name: 'a record that was changed',
    plant: ({ id, seals }) =>
      asOwner(sql`update audit_logs set ip = '192.0.2.1' where tenant_id = ${id} and id = ${at(seals, 1)}`),
    found: ({ seals }) => `record ${at(seals, 1)} was changed`,
  },
  {
    name: 'the first of several changes',
    plant: ({ id, seals }) =>
      asOwner(sql`update audit_logs set detail = '{"x":1}' where tenant_id = ${id} and id > ${at(seals, 0)}`),
    found: ({ seals }) => `record ${at(seals, 0, 1)} was changed`,
  },
  {
    name: 'a record that was removed',
    plant: ({ id, seals }) =>
      asOwner(sql`delete from audit_logs where tenant_id = ${id} and id = ${at(seals, 1, 1)}`),
    found: ({ seals }) => `record ${at(seals, 1, 1)} was removed`,
  },
  {
    name: 'records that changed places',
    plant: ({ id, seals }) => asOwner(swapRecords(id, at(seals, 1, 0), at(seals, 1, 2))),
    found: ({ seals }) => `record ${at(seals, 1, 2)} stands where ${at(seals, 1, 0)} was sealed: reordered`,
  },
  {
    name: 'records of two seals that changed places, as changed',
    plant: ({ id, seals }) => asOwner(swapRecords(id, at(seals, 1, 0), at(seals, 2, 0))),
    found: ({ seals }) => `record ${at(seals, 1, 0)} was changed`,
  },
  {
    name: 'records that were cut off the end with their seal',
    plant: ({ id, seals }) =>
      asOwner(
        sql`delete from audit_logs where tenant_id = ${id} and id >= ${at(seals, 2)}`,
        sql`delete from audit_seals where tenant_id = ${id} and sequence = 3`,
      ),
    found: ({ seals }) =>
      `cut off after record ${at(seals, 1, -1)}: the chain ends at seal 2, and its head names seal 3`,
  },
  {
    name: 'records that were cut off the end without their seal',
    plant: ({ id, seals }) =>
      asOwner(sql`delete from audit_logs where tenant_id = ${id} and id >= ${at(seals, 2, 1)}`),
    found: ({ seals }) => `record ${at(seals, 2, 1)} was removed`,
  },
  {
    name: 'a record that was added past the seals',
    plant: ({ id }) =>
      asOwner(insertRecord(id, 'forged.record'), sql`delete from audit_unsealed where tenant_id = ${id}`),
    found: () => 'record ? was never sealed: added',
  },
  {
    name: 'a record that was removed before it was sealed',
    plant: ({ id }) =>
      asOwner(
        insertRecord(id, 'short.lived'),
        sql`delete from audit_logs where tenant_id = ${id} and action = 'short.lived'`,
      ),
    found: () => 'record ? was removed before it was sealed',
  },
  {
    name: 'a record that was moved to another tenant',
    plant: async ({ id, seals }) => {
      const other = await newTenant()
      const moved = sql`from audit_logs where tenant_id = ${id} and id = ${at(seals, 1)}`
      return asOwner(
        sql`
          insert into audit_logs (tenant_id, id, ${columns}) overriding system value
          select ${other.id}::uuid, id, ${columns} ${moved}`,
        sql`delete ${moved}`,
      )
    },
    found: ({ seals }) => `record ${at(seals, 1)} was removed`,
  },
  {
    name: 'a change that also the list of the seal agrees to',
    plant: ({ id }) =>
      asOwner(sql`
        update audit_seals set digests = set_byte(digests, 0, (get_byte(digests, 0) + 1) % 256)
        where tenant_id = ${id} and sequence = 2`),
    found: () => 'the list of records in seal 2 was changed',
  },
  {
    name: 'a seal that was removed',
    plant: ({ id }) => asOwner(sql`delete from audit_seals where tenant_id = ${id} and sequence = 2`),
    found: () => 'seal 2 was removed: seal 3 follows',
  },
  {
    name: 'a seal that stands in the place of another',
    plant: ({ id }) => asOwner(setStatement(id, 2, statementOf(id, 3))),
    found: () => 'seal 3 stands where seal 2 was: reordered',
  },
  {
    name: 'a seal of another tenant',
    plant: async ({ id }) => {
      const [row] = await ownerRows<{ statement: string }>(statementOf((await newChain()).id, 2))
      return asOwner(setStatement(id, 2, sql`${row?.statement}::text`))
    },
    found: () => 'seal 2 is of another chain',
  },
  {
    name: 'a seal with a statement of another kind',
    plant: ({ id }) =>
      asOwner(setStatement(id, 2, sql`select statement from audit_heads where tenant_id = ${id}`)),
    found: () => 'seal 2 is of another chain',
  },
  {
    name: 'a forged seal',
    plant: async ({ id }) => {
      const [row] = await ownerRows<{ statement: string }>(statementOf(id, 2))
      return asOwner(setStatement(id, 2, sql`${await signedByStranger(row?.statement ?? '')}::text`))
    },
    found: () => 'seal 2 is forged',
  },
  {
    name: 'a seal that says nothing',
    plant: ({ id }) => asOwner(setStatement(id, 2, sql`'x'`)),
    found: () => 'seal 2 is forged',
  },
  {
    name: 'a seal signed with a key that nobody knows',
    plant: async ({ id }) => {
      const [row] = await ownerRows<{ statement: string }>(statementOf(id, 2))
      return asOwner(setStatement(id, 2, sql`${await signedByStranger(row?.statement ?? '', 'mine')}::text`))
    },
    found: () => 'seal 2 is signed with an unknown key, mine',
  },
  {
    name: 'a head that is missing',
    plant: ({ id }) => asOwner(sql`delete from audit_heads where tenant_id = ${id}`),
    found: () => 'the head is missing',
  },
  {
    name: 'a forged head',
    plant: async ({ id }) =>
      asOwner(
        sql`update audit_heads set statement = ${await signedByStranger(await currentHead(id))} where tenant_id = ${id}`,
      ),
    found: () => 'the head is forged',
  },
  {
    name: 'a head of another tenant',
    plant: async ({ id }) =>
      asOwner(
        sql`update audit_heads set statement = ${await currentHead((await newChain()).id)} where tenant_id = ${id}`,
      ),
    found: () => 'the head is of another chain',
  },
  {
    name: 'a head from before the last seal',
    plant: async ({ tenant, id }) => {
      const earlier = await currentHead(id)
      await writeRecords(tenant)
      await sealRecords(id)
      return asOwner(sql`update audit_heads set statement = ${earlier} where tenant_id = ${id}`)
    },
    found: () => 'seal 4 stands after the end that the head names',
  },
  {
    name: 'a start that was deleted like expired records, without a setting that lets it',
    plant: ({ id, seals }) =>
      asOwner(
        sql`delete from audit_logs where tenant_id = ${id} and id < ${at(seals, 1)}`,
        sql`delete from audit_seals where tenant_id = ${id} and sequence = 1`,
      ),
    found: () => 'seal 1 was removed: seal 2 follows',
  },
]

describe('a check of the chain', () => {
  test.each(attacks)('a check names $name', async ({ plant, found }) => {
    const chain = await newChain()
    expect(await breachOf(chain.id)).toBeUndefined()
    await plant(chain)
    expect(
      (await breachOf(chain.id))?.replace(/record \d+ (?=was never|was removed before)/, 'record ? '),
    ).toBe(found(chain))
  })

  test('a check names an end that was cut off, and sealing does not continue after it', async () => {
    const { tenant, id, seals } = await newChain()
    await asOwner(
      sql`delete from audit_logs where tenant_id = ${id} and id >= ${at(seals, 2)}`,
      sql`delete from audit_seals where tenant_id = ${id} and sequence = 3`,
    )
    await writeRecords(tenant)
    const { failures } = await sealWaiting(parts)
    expect(String(failures.get(id))).toBe('Breach: the head does not name the last seal')
    expect(await breachOf(id)).toMatch(/^cut off after record \d+: the chain ends at seal 2/)
    expect(await parts.store.scoped({ tenantId: id }).many(sql`select id from audit_unsealed`)).toHaveLength(
      3,
    )
  })

  test('a check names a breach in one tenant, and continues with the others', async () => {
    const [broken, sound] = [await newChain(), await newChain()]
    await asOwner(sql`delete from audit_heads where tenant_id = ${broken.id}`)
    const verdicts = new Map<string, object>()
    for await (const verdict of verifyAll(parts, { keys: await trustOwnKeys(parts) })) {
      verdicts.set(verdict.tenant, verdict)
    }
    expect(verdicts.get(`${broken.tenant.slug} (${broken.id})`)).toHaveProperty('breach')
    expect(verdicts.get(`${sound.tenant.slug} (${sound.id})`)).toHaveProperty('summary')
  })
})

test('a key counts no more for the next seal once it is gone from the database', async () => {
  const { tenant, id } = await newChain()
  await rotateSigningKeys(systemCtx(parts, 'rotate-keys'))
  await writeRecords(tenant)
  await sealRecords(id)
  const { keys } = await getAuditKeys(parts)
  const rows = await ownerRows<{ row: string }>(sql`
    select row_to_json(k)::text as row from signing_keys k where kid = ${keys[0]?.kid}`)
  await rotateSigningKeys(systemCtx(parts, 'rotate-keys'))
  await asOwner(sql`delete from signing_keys where kid = ${keys[0]?.kid}`)
  await writeRecords(tenant)
  const refusal = `the head is signed with an unknown key, ${keys[0]?.kid}`
  await expect(sealRecords(id)).rejects.toThrow(refusal)
  await asOwner(sql`
    insert into signing_keys select * from json_populate_record(null::signing_keys, ${rows[0]?.row}::json)`)
  await sealRecords(id)
  expect(await breachOf(id)).toBeUndefined()
})

describe('a head kept elsewhere', () => {
  test('is part of the chain that went on from it', async () => {
    const { tenant, id } = await newChain()
    const kept = await headOf(id)
    await writeRecords(tenant)
    await sealRecords(id)
    expect(await breachOf(id, kept)).toBeUndefined()
  })

  test('tells a chain that was rolled back to an earlier signed state', async () => {
    const { tenant, id, seals } = await newChain()
    const earlier = await currentHead(id)
    await writeRecords(tenant)
    await sealRecords(id)
    const kept = await headOf(id)
    await asOwner(
      sql`delete from audit_logs where tenant_id = ${id} and id > ${at(seals, 2, -1)}`,
      sql`delete from audit_seals where tenant_id = ${id} and sequence = 4`,
      sql`update audit_heads set statement = ${earlier} where tenant_id = ${id}`,
    )
    expect(await breachOf(id)).toBeUndefined()
    expect(await breachOf(id, kept)).toBe(`cut off: the chain ends at seal 3, before the head 4:${kept.hash}`)
  })

  test('tells a chain that was sealed anew with the right key', async () => {
    const { id, seals } = await newChain()
    const kept = await headOf(id)
    await asOwner(
      sql`update audit_logs set action = 'nothing.happened' where tenant_id = ${id} and id = ${at(seals, 0)}`,
      sql`delete from audit_seals where tenant_id = ${id}`,
      sql`delete from audit_heads where tenant_id = ${id}`,
    )
    expect(await breachOf(id, kept)).toBe('cut off: nothing is sealed, and a head was kept')
    for (const ids of seals) {
      await asOwner(
        sql`insert into audit_unsealed (tenant_id, id) select ${id}::uuid, unnest(${ids}::bigint[])`,
      )
      await sealRecords(id)
    }
    expect(await breachOf(id)).toBeUndefined()
    expect(await breachOf(id, kept)).toBe(
      `the chain is not the one of the head 3:${kept.hash}: it was sealed anew`,
    )
  })
})

test('a record waits to be sealed from the statement on that writes it', async () => {
  const tenant = await newTenant()
  const { id } = tenant
  await sealRecords(id)
  await writeRecords(tenant)
  const db = parts.store.scoped({ tenantId: id })
  const ids = (await db.many<{ id: number }>(sql`select id from audit_logs where resource = 'setting'`)).map(
    (r) => r.id,
  )
  expect(await selectUnsealedIds(db, id, ids)).toHaveLength(3)
})

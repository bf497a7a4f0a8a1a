import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asOwner, headOf, newChain, sealsOf, writeRecords, type Chain } from '../../../../test/audit-chain.ts'
import { newTenant } from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'
import type { AuditKey } from '../../../crypto/statements.ts'
import { systemCtx } from '../../../start/parts.ts'
import type { AuditActor, AuditLog } from './audit.schemas.ts'
import { getAuditKeys } from './keys.service.ts'
import { rotateSigningKeys } from '../../tenancy/system/key-rotation.service.ts'
import { verifyFile, type FileVerdict } from './verify-file.service.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-export-'))
})
afterAll(() => rm(folder, { recursive: true }))

const verify = async (
  content: string | Buffer,
  options: Parameters<typeof verifyFile>[1] = {},
): Promise<FileVerdict> => {
  const path = join(folder, 'export.ndjson')
  await writeFile(path, content)
  return verifyFile(path, options)
}

const breachOf = async (content: string | Buffer): Promise<string | undefined> => {
  const verdict = await verify(content)
  return 'breach' in verdict ? verdict.breach : undefined
}

const exported = async ({ tenant }: Chain): Promise<string> => {
  const { status, text } = await tenant.admin.get('/audit/export?format=sealed')
  expect(status).toBe(200)
  return text
}

const linesOf = (text: string) => text.split('\n').slice(0, -1)
const textOf = (lines: string[]) => lines.map((line) => `${line}\n`).join('')

describe('a sealed export', () => {
  test('holds every record in the order of the chain, each seal after its records, and can be checked offline', async () => {
    const chain = await newChain()
    const text = await exported(chain)
    const seals = await sealsOf(chain.id)
    const [first = '', ...rest] = linesOf(text)
    expect(JSON.parse(first).audit_export).toEqual({
      version: 1,
      tenant_id: chain.id,
      keys: (await getAuditKeys(parts)).keys,
      head: expect.any(String),
    })
    expect(rest.map((line) => JSON.parse(line)).map(({ id, seal }) => id ?? seal.record_ids)).toEqual(
      seals.flatMap((ids) => [...ids, ids]),
    )
    const { items } = (await chain.tenant.admin.get('/audit/logs?include=actor')).data
    // A sealed line holds the actor in `detail`, and only the id beside it.
    expect(rest.filter((line) => line.startsWith('{"id"')).toReversed()).toEqual(
      items.map(({ actor: { name, kind }, detail, ...log }: AuditLog & { actor: AuditActor }) => {
        const { ip, user_agent, trace_id, created_at, ...head } = log
        const actor = log.user_id === 0 ? {} : { actor: { name, kind } }
        return JSON.stringify({
          ...head,
          detail: { ...detail, ...actor },
          ip,
          user_agent,
          trace_id,
          created_at,
        })
      }),
    )
    expect(await verify(text)).toEqual({
      tenant: chain.id,
      keys: (await getAuditKeys(parts)).keys.map(({ kid }) => kid),
      summary: { records: seals.flat().length, seals: 3, head: await headOf(chain.id) },
    })
  })

  test('holds records written just before it', async () => {
    const chain = await newChain()
    await writeRecords(chain.tenant)
    const verdict = await verify(await exported(chain))
    expect(verdict).toMatchObject({ summary: { records: chain.seals.flat().length + 3, seals: 4 } })
  })

  test('is sound over a rotation of the keys', async () => {
    const chain = await newChain()
    const { keys: before } = await getAuditKeys(parts)
    await rotateSigningKeys(systemCtx(parts, 'rotate-keys'))
    await writeRecords(chain.tenant)
    const text = await exported(chain)
    expect(await verify(text)).toHaveProperty('summary')
    const { keys } = await getAuditKeys(parts)
    expect(await verify(text, { keys })).toHaveProperty('summary')
    expect(await verify(text, { keys: before })).toMatchObject({
      breach: expect.stringMatching(/^the head is signed with an unknown key, /),
    })
    expect(await verify(text, { keys: keys.slice(0, 1) })).toMatchObject({
      breach: expect.stringMatching(/^seal 1 is signed with an unknown key, /),
    })
  })

  test.each([
    'user_id=1',
    'action=a.b',
    'resource=a',
    'from=2026-01-01T00:00:00Z',
    'to=2026-01-01T00:00:00Z',
  ])('takes no filter: %s', async (filter) => {
    const { admin } = await newTenant()
    const { status, body } = await admin.get(`/audit/export?format=sealed&${filter}`)
    expect([status, body.data.errors[0].field]).toEqual([400, filter.split('=')[0]])
  })

  test('an export of a broken chain succeeds, and shows the breach', async () => {
    const chain = await newChain()
    const [, [id = 0] = []] = chain.seals
    await asOwner(sql`delete from audit_logs where tenant_id = ${chain.id} and id = ${id}`)
    expect(await breachOf(await exported(chain))).toBe(`record ${id} was removed`)
  })
})

describe('a check of an export', () => {
  let chain: Chain
  let lines: string[]
  beforeAll(async () => {
    chain = await newChain()
    lines = linesOf(await exported(chain))
  })
  const ids = () => lines.slice(1).map((line) => Number(JSON.parse(line).id ?? Number.NaN))
  const withLines = (change: (copy: string[]) => void): string => {
    const copy = [...lines]
    change(copy)
    return textOf(copy)
  }

  test('a check names every truncation at the end of a line', async () => {
    for (let count = 1; count < lines.length; count += 1) {
      const breach = await breachOf(textOf(lines.slice(0, count)))
      const before = ids()
        .slice(0, count - 1)
        .findLast((id) => !Number.isNaN(id))
      expect(breach).toMatch(
        before === undefined
          ? /^cut off before its first record: /
          : new RegExp(`^cut off after record ${before}: `),
      )
    }
    expect(await breachOf('')).toBe('the first line is missing or changed: this is not a sealed export')
    expect(await breachOf(textOf(lines))).toBeUndefined()
  })

  test('a check names a record that was changed, removed, added or moved', async () => {
    const [one = 0, two = 0] = ids()
    expect(
      await breachOf(withLines((copy) => (copy[1] = copy[1]?.replace('127.0.0.1', '127.0.0.2') ?? ''))),
    ).toBe(`record ${one} was changed`)
    expect(await breachOf(withLines((copy) => copy.splice(1, 1)))).toBe(`record ${one} was removed`)
    expect(await breachOf(withLines((copy) => copy.splice(1, 2, copy[2] ?? '', copy[1] ?? '')))).toBe(
      `record ${two} stands where ${one} was sealed: reordered`,
    )
    const forged = JSON.stringify({ ...JSON.parse(lines[1] ?? ''), id: 999_999_999 })
    expect(await breachOf(withLines((copy) => copy.splice(1, 0, forged)))).toBe(
      'record 999999999 was never sealed: added',
    )
    expect(await breachOf(withLines((copy) => copy.push(forged)))).toBe(
      'record 999999999 was never sealed: added',
    )
  })

  test('a check names a seal that was removed with its records, and one that was moved', async () => {
    const ends = lines.flatMap((line, index) => (line.startsWith('{"seal"') ? [index] : []))
    const [first = 0, second = 0] = ends
    expect(await breachOf(withLines((copy) => copy.splice(first + 1, second - first)))).toBe(
      'seal 2 was removed: seal 3 follows',
    )
    expect(await breachOf(withLines((copy) => copy.splice(second, 1)))).toBe(
      'seal 2 was removed: seal 3 follows',
    )
  })

  test('a check finds a byte changed anywhere', async () => {
    const bytes = Buffer.from(textOf(lines))
    const places = [
      ...Array.from({ length: 400 }, () => Math.floor(Math.random() * bytes.length)),
      bytes.length - 1,
    ]
    for (const place of places) {
      const changed = Buffer.from(bytes)
      changed[place] = (bytes[place] ?? 0) ^ (1 << Math.floor(Math.random() * 8))
      expect([place, typeof (await breachOf(changed))]).toEqual([place, 'string'])
    }
  })

  test('a check names a file that is no export', async () => {
    for (const content of [
      '\n',
      '{}\n',
      'null\n',
      '{"audit_export":{}}\n',
      '{"seal":{}}\n',
      'x'.repeat(5_000_000),
    ]) {
      expect(await breachOf(content)).toEqual(expect.any(String))
    }
    for (const seal of [
      '{"seal":1}',
      '{"seal":{"sequence":1,"record_ids":"x","digests":"","statement":"x"}}',
    ]) {
      expect(await breachOf(textOf([lines[0] ?? '', seal]))).toBe('seal 1 was changed')
    }
  })

  test('a check names keys that do not match their names', async () => {
    const { keys } = await getAuditKeys(parts)
    const [key, other] = keys as [AuditKey, AuditKey]
    const swapped = [{ ...key, x: other?.x ?? 'AAAA' }]
    await expect(verify(textOf(lines), { keys: swapped })).rejects.toThrow(/is not the one of that name/)
  })
})

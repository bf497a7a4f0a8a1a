/** Exports of tenants that somebody has changed. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extract } from 'tar'
import { writeArchive } from '../src/archive.ts'
import { exportTenant } from '../src/features/tenancy/transfer/export.service.ts'
import { systemCtx } from '../src/start/parts.ts'
import { unique, type Tenant } from './factories.ts'
import { parts } from './harness.ts'

export const exportFolder = mkdtempSync(join(tmpdir(), 'tenantry-transfer-'))
// All test files of a process share this module, and its folder.
process.once('exit', () => rmSync(exportFolder, { recursive: true, force: true }))

export type Parts = Record<string, any[]>
export type About = {
  tenant: { id: string; slug: string; name: string }
  counts: Record<string, number>
  migrations: string[]
}

/** Exports a tenant and packs it anew, changed, with checksums that fit: a forged file. */
export const forge = async (tenant: Tenant, change: (rows: Parts, about: About) => void): Promise<string> => {
  const file = join(exportFolder, `${randomUUID()}.tgz`)
  const { about } = await exportTenant(systemCtx(parts, 'test'), tenant.slug, file)
  const unpacked = `${file}.d`
  mkdirSync(unpacked)
  await extract({ file, cwd: unpacked })
  const changed: About = structuredClone(about)
  const rows: Parts = {}
  for (const name of Object.keys(about.counts)) {
    const text = readFileSync(join(unpacked, `${name}.ndjson`), 'utf8')
    rows[name] = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }
  change(rows, changed)
  for (const [name, list] of Object.entries(rows)) {
    writeFileSync(join(unpacked, `${name}.ndjson`), list.map((row) => `${JSON.stringify(row)}\n`).join(''))
    changed.counts[name] ??= list.length
  }
  rmSync(join(unpacked, 'manifest.json'))
  const target = `${file}.forged`
  await writeArchive(target, unpacked, { kind: 'tenantry-tenant', about: changed }, () => {})
  return target
}

/** The same tenant under another id, slug and e-mails: all other ids are equal. */
export const asTwin = (rows: Parts, about: About): void => {
  about.tenant.id = randomUUID()
  about.tenant.slug = unique('twin')
  for (const row of rows['01-tenant'] ?? []) row.slug = about.tenant.slug
  for (const row of [...(rows['02-accounts'] ?? []), ...(rows['03-users'] ?? [])]) {
    row.email = `twin-${row.email}`
    row.email_folded = `twin-${row.email_folded}`
  }
}

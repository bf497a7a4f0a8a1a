/** `npm run docs`: writes the generated files of docs/, SDK and console, from the application on an embedded database. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { createLogger } from '../src/log.ts'
import { closeParts, openParts } from '../src/start/parts.ts'
import type { ApiDocument } from './api-document.ts'
import { writtenFiles, writtenUrl } from './docs-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenantry-docs-'))
try {
  const config = readConfig({ TENANTRY_DATA_DIR: folder, LOG_LEVEL: 'error', TENANTRY_BCRYPT_COST: '4' })
  const parts = await openParts(config, createLogger(config.logLevel))
  const app = await buildApp(parts)
  const document = (await app.inject('/openapi.json')).json<ApiDocument>()
  for (const [path, text] of Object.entries(writtenFiles(document))) writeFileSync(writtenUrl(path), text)
  await app.close()
  await closeParts(parts)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

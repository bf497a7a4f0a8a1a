/** The command `tenantry rotate-keys`, and its outcome. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { request } from '../lab/client.ts'
import { parseToken } from './forge.ts'

const main = fileURLToPath(new URL('../server/bin/tenantry.js', import.meta.url))

export const rotateKeys = async (env: Record<string, string>, ...options: string[]): Promise<void> => {
  await promisify(execFile)(process.execPath, [main, 'rotate-keys', ...options], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
}

export const kidOf = (token: string): string => String(parseToken(token).header['kid'])

export const publishedKids = async (url: string): Promise<string[]> => {
  const { keys } = (await request(url, 'GET', '/.well-known/jwks.json')).body as { keys: { kid: string }[] }
  return keys.map(({ kid }) => kid)
}

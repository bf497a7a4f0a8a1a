import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../server/bin/tenantry.js', import.meta.url))

/** Runs a command of the program with these settings and nothing else of the environment. */
export const runCommand = (
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...args], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += String(part)))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })

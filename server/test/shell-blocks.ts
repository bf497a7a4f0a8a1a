/** Runs the shell blocks of a document as its reader does, one after the other in one shell. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Block } from './documents.ts'

export const hasCurl =
  spawnSync('curl', ['--version']).status === 0 && spawnSync('bash', ['--version']).status === 0

/** Ids, times, tokens and names with a number at random differ from run to run: their form stands for them. */
const formOf = (text: string): string =>
  text
    .replace(/^(eyJ.{17}).*$/, '$1…')
    .replace(/^(?!00000000)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, '<uuid>')
    .replace(/^[0-9a-f]{32}$/, '<trace id>')
    .replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, '<time>')
    .replace(/^curl\/.*$/, 'curl')
    .replace(/(^|@)engines-\d+/, '$1engines-<number>')

/** An answer as a document shows it. */
export const readAnswer = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? formOf(value) : value))

/** The JSON that each block prints, without the blocks that print nothing. Each text of `places` stands for its value. */
export const runBlocks = async (
  blocks: Pick<Block, 'code'>[],
  places: Record<string, string>,
): Promise<unknown[]> => {
  const mark = '=='
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-shell-'))
  const shell = spawn('bash', ['-eu'], { cwd: folder, stdio: 'pipe' })
  let output = ''
  shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  shell.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  let script = blocks.map(({ code }) => `${code}\nprintf '\\n${mark}\\n'\n`).join('')
  for (const [place, value] of Object.entries(places)) script = script.replaceAll(place, value)
  shell.stdin.end(script)
  await once(shell, 'close')
  rmSync(folder, { recursive: true })
  const answers = output.split(`\n${mark}\n`).filter((text) => text.trim() !== '')
  return answers.map(readAnswer)
}

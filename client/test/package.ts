/** The SDK as others get it: packed, and installed from the tarball alone, without a network. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const exec = promisify(execFile)
const clientFolder = fileURLToPath(new URL('..', import.meta.url))
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/** Runs a program to its end, and rejects with all it has said when that is not a good one. */
export const run = async (file: string, args: string[], cwd: string): Promise<string> => {
  try {
    const { stdout } = await exec(file, args, { cwd })
    return stdout
  } catch (err) {
    const { stdout = '', stderr = '' } = err as { stdout?: string; stderr?: string }
    throw new Error(`${file} ${args.join(' ')}\n${stdout}${stderr}`, { cause: err })
  }
}

export interface Project {
  folder: string
  /** The files of the tarball. */
  packed: string[]
  write(name: string, text: string): void
  compile(options: object): Promise<void>
  remove(): void
}

/** Packs the SDK, and installs it into an empty project. */
export const installPackage = async (): Promise<Project> => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-package-'))
  const told = await run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], clientFolder)
  const [{ files }] = JSON.parse(told.slice(told.indexOf('['))) as [{ files: { path: string }[] }]
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'empty', type: 'module', private: true }),
  )
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', `./${tarball}`], folder)
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  return {
    folder,
    packed: files.map(({ path }) => path),
    write,
    compile: async (options) => {
      write('tsconfig.json', JSON.stringify({ compilerOptions: options, files: ['main.ts', 'examples.ts'] }))
      await run(process.execPath, [tsc, '-p', '.'], folder)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The oldest that the SDK is for. A machine of somebody who tries the tests may lack it, the one that decides may not. */
const oldest = 20

const majorOf = (version: string): number => Number(/^v(\d+)/.exec(version)?.[1] ?? 0)

/** The Node that runs the tests, and any other of this machine that the SDK is for, each by its version. */
export const nodes = async (): Promise<[string, string][]> => {
  const folders = ['/usr/bin', '/usr/local/bin', ...(process.env['PATH'] ?? '').split(':')]
  const paths = [process.execPath, ...folders.map((folder) => join(folder, 'node'))]
  const asked = await Promise.all(
    [...new Set(paths)].map(async (path): Promise<[string, string]> => {
      const version = await run(path, ['--version'], tmpdir()).catch(() => '')
      return [version.trim(), path]
    }),
  )
  const fit = asked.filter(([version]) => majorOf(version) >= oldest)
  if (process.env['CI'] && !fit.some(([version]) => majorOf(version) === oldest)) {
    throw new Error(`CI needs a Node ${oldest} in its PATH, to see that the SDK runs in it`)
  }
  return [...new Map(fit.map(([version, path]) => [version, realpathSync(path)]))]
}

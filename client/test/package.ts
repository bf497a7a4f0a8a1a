/** Packages as they are published: packed, and the SDK installed from its tarball without a network. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const exec = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const modules = join(root, 'node_modules')
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/** Runs a program. Rejects with its whole output when it fails. */
export const run = async (
  file: string,
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> => {
  try {
    const { stdout } = await exec(file, args, { cwd, env })
    return stdout
  } catch (err) {
    const { stdout = '', stderr = '' } = err as { stdout?: string; stderr?: string }
    throw new Error(`${file} ${args.join(' ')}\n${stdout}${stderr}`, { cause: err })
  }
}

export interface Packed {
  /** The name of the file. */
  filename: string
  unpackedSize: number
  files: { path: string }[]
}

/** Packs a workspace of this repository into a folder. */
export const pack = async (workspace: 'client' | 'server', folder: string): Promise<Packed> => {
  const command = ['pack', '--json', '--silent', '--pack-destination', folder]
  const told = await run('npm', command, join(root, workspace))
  const [packed] = JSON.parse(told.slice(told.indexOf('['))) as [Packed]
  return packed
}

/** Puts packages that this repository depends on into a project, as `npm install` would. */
export const link = (folder: string, names: string[]): void => {
  for (const name of names) {
    const place = join(folder, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(modules, name), place)
  }
}

export interface Project {
  folder: string
  /** The files of the tarball. */
  packed: string[]
  write(name: string, text: string): void
  /** Puts packages of this repository beside the SDK, as a product installs them. */
  add(...names: string[]): void
  /** Compiles these files, or the program and the examples. */
  compile(options: object, sources?: string[]): Promise<void>
  remove(): void
}

/** Packs the SDK, and installs it into an empty project. */
export const installPackage = async (): Promise<Project> => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-package-'))
  const { filename, files } = await pack('client', folder)
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'empty', type: 'module', private: true }),
  )
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', `./${filename}`], folder)
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  return {
    folder,
    packed: files.map(({ path }) => path),
    write,
    add: (...names) => link(folder, names),
    compile: async (options, sources = ['main.ts', 'examples.ts']) => {
      write('tsconfig.json', JSON.stringify({ compilerOptions: options, files: sources }))
      await run(process.execPath, [tsc, '-p', '.'], folder)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The oldest supported major version. CI must have it; other machines may lack it. */
const oldest = 20

const majorOf = (version: string): number => Number(/^v(\d+)/.exec(version)?.[1] ?? 0)

/** Every supported Node of this machine, with its version. */
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
    throw new Error(`CI needs a Node ${oldest} in its PATH, to test that the SDK runs in it`)
  }
  return [...new Map(fit.map(([version, path]) => [version, realpathSync(path)]))]
}

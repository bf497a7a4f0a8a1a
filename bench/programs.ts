/** Programs that npm does not bring. */
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { run, wholeEnv } from './process.ts'
import { progress } from './progress.ts'

/** Debian has PostgreSQL's servers in no PATH; the newest first. */
const versionFolders = () =>
  globSync('/usr/lib/postgresql/*/bin').toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))

const find = (program: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(':'), ...versionFolders()]
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file))

const install = async (packageName: string): Promise<void> => {
  progress(`installing ${packageName}`)
  const env = { ...wholeEnv, DEBIAN_FRONTEND: 'noninteractive' }
  await run({ program: 'apt-get', args: ['update', '-qq'], env })
  await run({ program: 'apt-get', args: ['install', '-y', '-qq', packageName], env })
}

/**
 * Where a program is; its Debian package is installed when it is missing and that is possible. Throws with what to do
 * about it when it is not.
 */
export const provide = async (program: string, packageName: string): Promise<string> => {
  const isInstallable = process.getuid?.() === 0 && find('apt-get') !== undefined
  if (find(program) === undefined && isInstallable) await install(packageName)
  const found = find(program)
  if (found !== undefined) return found
  throw new Error(
    `${program} is not installed, and installing it here takes root and apt-get: apt-get install ${packageName}`,
  )
}

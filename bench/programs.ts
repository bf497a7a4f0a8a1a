/** Programs that come from Debian packages instead of npm. */
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { run, wholeEnv } from './process.ts'
import { progress } from './progress.ts'

/** Debian puts PostgreSQL's servers into folders outside PATH; the newest comes first. */
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
 * Finds a program. Installs its Debian package when it is missing and the user is root; throws with advice otherwise.
 */
export const provide = async (program: string, packageName: string): Promise<string> => {
  const isInstallable = process.getuid?.() === 0 && find('apt-get') !== undefined
  if (find(program) === undefined && isInstallable) await install(packageName)
  const found = find(program)
  if (found !== undefined) return found
  throw new Error(`${program} is missing; run as root: apt-get install ${packageName}`)
}

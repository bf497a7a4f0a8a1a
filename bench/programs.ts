/** Programs that come from Debian packages instead of npm. */
import { findProgram, installed, run } from '../lab/processes.ts'
import { wholeEnv } from './process.ts'
import { progress } from './progress.ts'

const install = async (packageName: string): Promise<void> => {
  progress(`installing ${packageName}`)
  const env = { ...wholeEnv, DEBIAN_FRONTEND: 'noninteractive' }
  await run({ program: 'apt-get', args: ['update', '-qq'], env })
  await run({ program: 'apt-get', args: ['install', '-y', '-qq', packageName], env })
}

/**
 * Finds a program. Installs its Debian package when it is missing and the user is root; throws otherwise.
 */
export const provide = async (program: string, packageName: string): Promise<string> => {
  const isInstallable = process.getuid?.() === 0 && installed('apt-get') !== undefined
  if (installed(program) === undefined && isInstallable) await install(packageName)
  return findProgram(program, packageName)
}

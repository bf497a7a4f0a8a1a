import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Contender, PeerFolder } from './contender.ts'
import { openBetterAuth } from './contenders/better-auth.ts'
import { openDirectus } from './contenders/directus.ts'
import { openNestjs } from './contenders/nestjs.ts'
import { progress } from './progress.ts'
import { run, wholeEnv } from './process.ts'
import type { Stores } from './stores.ts'

interface Peer {
  /** The package whose version is told. */
  main: string
  /** What its script `build` takes, which runs after the installation; quick where it has been done. */
  buildNeeds?: string
  open: (folder: PeerFolder) => Promise<Contender>
}

const peers = {
  nestjs: { main: '@nestjs/core', buildNeeds: 'TypeScript', open: openNestjs },
  'better-auth': { main: 'better-auth', open: openBetterAuth },
  directus: { main: 'directus', buildNeeds: 'a C++ compiler, make and Python 3', open: openDirectus },
} satisfies Record<string, Peer>

export type PeerName = keyof typeof peers
export const peerNames = Object.keys(peers) as PeerName[]

const pathOf = (name: PeerName) => fileURLToPath(new URL(`peers/${name}`, import.meta.url))

const changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** What npm was told about its registry, proxies and certificates; but not where the npm above it was started. */
const npmEnv = Object.fromEntries(
  Object.entries(wholeEnv).filter(
    ([name]) => !/^npm_(?!config_)|^npm_config_local_prefix$|^INIT_CWD$/.test(name),
  ),
)

const npm = (path: string, args: string[]) => run({ program: 'npm', args, cwd: path, env: npmEnv })

/** Installs what the peer's lock file names, unless that is there already. */
const install = async (path: string): Promise<void> => {
  const isThere =
    changedAt(`${path}/node_modules/.package-lock.json`) > changedAt(`${path}/package-lock.json`)
  if (!isThere) await npm(path, ['ci', '--ignore-scripts'])
}

const build = (path: string, needs: string): Promise<string> =>
  npm(path, ['run', 'build']).catch((cause: unknown) => {
    throw new Error(`it could not be built, which takes ${needs}`, { cause })
  })

/** Installs, seeds and starts a peer. */
export const openPeer = async (name: PeerName, stores: Stores, cost: number): Promise<Contender> => {
  const { open, buildNeeds }: Peer = peers[name]
  const path = pathOf(name)
  progress(`installing ${name}`)
  await install(path)
  if (buildNeeds !== undefined) await build(path, buildNeeds)
  progress(`seeding ${name}`)
  return open({ path, stores, cost })
}

/** Name and version of a peer's main package. */
export const versionOf = (name: PeerName): [string, string] => {
  const { main }: Peer = peers[name]
  const manifest = JSON.parse(readFileSync(`${pathOf(name)}/package.json`, 'utf8')) as {
    dependencies: Record<string, string>
  }
  return [main, manifest.dependencies[main] ?? '']
}

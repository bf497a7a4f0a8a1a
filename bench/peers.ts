import { readFileSync, statSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Contender, PeerFolder } from './contender.ts'
import { openBetterAuth } from './contenders/better-auth.ts'
import { openDirectus } from './contenders/directus.ts'
import { openNestjs } from './contenders/nestjs.ts'
import { progress } from './progress.ts'
import { run } from '../lab/processes.ts'
import { wholeEnv } from './process.ts'
import type { Stores } from './stores.ts'

interface Peer {
  /** The package whose version the report names. */
  main: string
  /** The tools that the script `build` needs; it runs after the installation and is quick the second time. */
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

const sources = fileURLToPath(new URL('peers', import.meta.url))

/** Outside of the tree, which has no packages or lock files of other projects. */
const installed = join(homedir(), '.cache', 'tenantry-bench')

const changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** The npm settings for registry, proxies and certificates, without the folder of the outer npm. */
const npmEnv = Object.fromEntries(
  Object.entries(wholeEnv).filter(
    ([name]) => !/^npm_(?!config_)|^npm_config_local_prefix$|^INIT_CWD$/.test(name),
  ),
)

const npm = (path: string, args: string[]) => run({ program: 'npm', args, cwd: path, env: npmEnv })

/** The versions in `package.json` are exact; those below them are the newest that fit. */
const installation = [
  'install',
  '--no-package-lock',
  '--omit-lockfile-registry-resolved',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
]

/** Copies a peer, and installs its packages unless they are installed already. Resolves with the folder. */
export const install = async (folder: string): Promise<string> => {
  const path = join(installed, folder)
  progress(`installing ${folder}`)
  await cp(sources, installed, {
    recursive: true,
    filter: (from) => basename(from) !== 'node_modules',
  })
  const isThere =
    changedAt(`${path}/node_modules/.package-lock.json`) > changedAt(`${sources}/${folder}/package.json`)
  if (!isThere) await npm(path, installation)
  return path
}

const build = (path: string, needs: string): Promise<string> =>
  npm(path, ['run', 'build']).catch((cause: unknown) => {
    throw new Error(`the build failed; it needs ${needs}`, { cause })
  })

/** Installs, seeds and starts a peer. */
export const openPeer = async (name: PeerName, stores: Stores, cost: number): Promise<Contender> => {
  const { open, buildNeeds }: Peer = peers[name]
  const path = await install(name)
  if (buildNeeds !== undefined) await build(path, buildNeeds)
  progress(`seeding ${name}`)
  return open({ path, stores, cost })
}

/** Name and version of a package in a peer's manifest. */
export const versionIn = (folder: string, main: string): [string, string] => {
  const manifest = JSON.parse(readFileSync(`${sources}/${folder}/package.json`, 'utf8')) as {
    dependencies: Record<string, string>
  }
  return [main, manifest.dependencies[main] ?? '']
}

/** Name and version of a peer's main package. */
export const versionOf = (name: PeerName): [string, string] => versionIn(name, peers[name].main)

/** Installed packages: none comes in unnoticed. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

interface Manifest {
  name?: string
  version?: string
  workspaces?: string[]
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

interface Locked {
  resolved?: string
  integrity?: string
  link?: boolean
  hasInstallScript?: boolean
}

const readManifest = (folder: string) => JSON.parse(read(`${folder}package.json`)) as Manifest
const root = readManifest('')
const manifests = [root, ...(root.workspaces ?? []).map((folder) => readManifest(`${folder}/`))]
const direct = manifests.flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
  Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }),
)
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
const foreign = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
)

test('no package runs a script at installation', () => {
  const withScript = foreign.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
  expect(withScript).toEqual([])
})

test('every package is locked by its hash, and none by the registry it came from', () => {
  expect(foreign.length).toBeGreaterThan(100)
  expect(foreign.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
  expect(foreign.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

test('every manifest has a name and a version, without which npm sbom ends with an error', () => {
  expect(manifests.filter(({ name, version }) => !name || !version)).toEqual([])
})

test('every direct dependency is one exact version', () => {
  const loose = direct.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version) && version !== '*')
  expect(loose).toEqual([])
})

/** The packages that a part of docs/dependencies.md describes: the first cell of each row, and the platforms of Node. */
const describedIn = (part: string): string[] => {
  const cells = [...part.matchAll(/^\| (`.*?) +\|/gm)].map(([, cell = '']) => cell)
  const platforms = [...part.matchAll(/`node-(?:bin-)?(?:linux|darwin|win)-\w+`/g)].map(([name]) => name)
  return [...cells, ...platforms].flatMap((text) =>
    [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )
}

const documentation = read('docs/dependencies.md')

test('every direct dependency is described in docs/dependencies.md', () => {
  const described = describedIn(documentation)
  expect([...new Set(direct.map(([name]) => name))].filter((name) => !described.includes(name))).toEqual([])
})

test('every package that docs/dependencies.md describes is a dependency of that part', () => {
  const parts = documentation.split(/^## /m).flatMap((part) => {
    const [, folder] = /^.*\(`(?:(\w+)\/)?package\.json`/.exec(part) ?? []
    const described = describedIn(part)
    return described.length === 0 ? [] : [{ folder: folder === undefined ? '' : `${folder}/`, described }]
  })
  expect(parts.map(({ folder }) => folder)).toEqual([
    'server/',
    'lab/',
    'prove/',
    'client/',
    '',
    'console/',
    '',
  ])
  for (const { folder, described } of parts) {
    const { dependencies, devDependencies, optionalDependencies } = readManifest(folder)
    const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
    expect(described.filter((name) => !names.includes(name))).toEqual([])
  }
})

/** The address of PostgreSQL and its TLS parameters: docs/operating.md, "TLS to PostgreSQL". */
import { readNamed } from '../named-file.ts'
import { addressesOf, BadValue, type Read } from './config-values.ts'

const modes = ['disable', 'require', 'verify-ca', 'verify-full']
/** Parameters that name a file in PEM. */
const files = ['sslrootcert', 'sslcert', 'sslkey']
const known = ['sslmode', ...files]

/** The driver's own parameter `uselibpqcompat` changes the meaning of the modes. */
const concernsTls = (name: string): boolean => /^ssl|^uselibpqcompat$/i.test(name)

const isPem = (path: string): boolean => {
  try {
    return readNamed(path).includes('-----BEGIN ')
  } catch {
    return false
  }
}

type Check = (parameters: URLSearchParams, mode: string) => boolean

/** The driver ignores unknown parameters and modes, and then sends everything unencrypted. */
const faults: [isFault: Check, text: string][] = [
  [
    (parameters) => known.some((name) => parameters.getAll(name).length > 1),
    `must have each of ${known.join(', ')} at most once`,
  ],
  [
    (parameters) => [...parameters.keys()].some((name) => concernsTls(name) && !known.includes(name)),
    `takes for TLS the parameters ${known.join(', ')}, and no other`,
  ],
  [(_parameters, mode) => !modes.includes(mode), `must have as sslmode one of: ${modes.join(', ')}`],
  [
    (parameters, mode) => mode === 'disable' && files.some((name) => parameters.has(name)),
    `names files of TLS without TLS: add sslmode=verify-full`,
  ],
  [
    (parameters, mode) => mode === 'require' && parameters.has('sslrootcert'),
    'has sslrootcert beside sslmode=require, which checks no certificate: use verify-full or verify-ca',
  ],
  [
    (parameters, mode) => mode === 'verify-ca' && !parameters.has('sslrootcert'),
    'has sslmode=verify-ca without sslrootcert: a public authority certifies any name; use verify-full',
  ],
  [
    (parameters) => parameters.has('sslcert') !== parameters.has('sslkey'),
    'must name sslcert and sslkey together',
  ],
  [
    (parameters) => files.some((name) => parameters.has(name) && !isPem(parameters.get(name) ?? '')),
    `names in ${files.join(', ')} a file that cannot be read or is not PEM`,
  ],
]

export const databaseUrl: Read<string> = (text) => {
  const [address] = addressesOf(text) ?? []
  if (address === undefined) {
    throw new BadValue(
      'must be an address such as postgres://user@host/name or postgres://user@host:5432,other:5432/name',
    )
  }
  const parameters = new URL(address).searchParams
  const mode = parameters.get('sslmode') ?? 'disable'
  const [, fault] = faults.find(([isFault]) => isFault(parameters, mode)) ?? []
  if (fault !== undefined) throw new BadValue(fault)
  return text
}

/** True if TLS verifies the server's certificate. */
export const isServerProven = (address: string): boolean =>
  new URL(address).searchParams.get('sslmode')?.startsWith('verify-') === true

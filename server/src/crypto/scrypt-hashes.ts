/** scrypt hashes in PHC form, and those of Werkzeug, of Better Auth, and of Firebase with its project's key. */
import { createCipheriv, scrypt } from 'node:crypto'
import {
  beyond,
  decode,
  firstOf,
  isEqual,
  memoryMax,
  MiB,
  unless,
  wrongBase64,
  wrongOutput,
  wrongSalt,
  type HashFormat,
  type ParsedHash,
} from './foreign-hash.ts'

/** Parameters of scrypt: N is 2^exponent, r is `size` and p is `lanes`. */
interface Cost {
  exponent: number
  size: number
  lanes: number
}

/** Room for the blocks that OpenSSL allocates besides the N blocks. */
const spareBytes = 2 * MiB

/** OpenSSL allocates N blocks, a block for each lane, and two more. */
const memoryOf = ({ exponent, size, lanes }: Cost): number => 128 * size * (2 ** exponent + lanes + 2)

/** RFC 7914, 2: N is a power of two below 2^(128 × r / 8). */
const isScrypt = ({ exponent, size, lanes }: Cost): boolean =>
  Number.isInteger(exponent) && exponent >= 1 && size >= 1 && lanes >= 1 && exponent < 16 * size

const wrongCost = (cost: Cost) =>
  firstOf(
    unless(isScrypt(cost), 'its parameters are none of scrypt'),
    beyond(128 * 2 ** cost.exponent * cost.size * cost.lanes, memoryMax, '128 × N × r × p'),
    beyond(memoryOf(cost), memoryMax + spareBytes, 'its memory in bytes'),
  )

const derive = (password: string, salt: Buffer, { exponent, size, lanes }: Cost, length: number) =>
  new Promise<Buffer>((resolve, reject) => {
    const options = { N: 2 ** exponent, r: size, p: lanes, maxmem: memoryMax + spareBytes }
    scrypt(password, salt, length, options, (err, derived) => (err ? reject(err) : resolve(derived)))
  })

const scryptHash = (cost: Cost, salt: Buffer, output: Buffer): ParsedHash =>
  firstOf(wrongCost(cost), wrongSalt(salt), wrongOutput(output)) ?? {
    memoryBytes: memoryOf(cost),
    verify: async (password) => isEqual(await derive(password, salt, cost, output.length), output),
  }

const phc: HashFormat = {
  pattern:
    /^\$scrypt\$ln=(?<ln>\d{1,2}),r=(?<r>\d{1,9}),p=(?<p>\d{1,9})\$(?<salt>[A-Za-z0-9+/]+)\$(?<output>[A-Za-z0-9+/]+)$/,
  read: ({ ln, r, p, salt = '', output = '' }) =>
    firstOf(wrongBase64(salt, 'salt'), wrongBase64(output, 'hash')) ??
    scryptHash({ exponent: Number(ln), size: Number(r), lanes: Number(p) }, decode(salt), decode(output)),
}

/** Werkzeug and Better Auth use the salt's text itself, not decoded. */
const werkzeug: HashFormat = {
  pattern:
    /^scrypt:(?<N>\d{1,9}):(?<r>\d{1,9}):(?<p>\d{1,9})\$(?<salt>[^$\s]+)\$(?<output>(?:[0-9a-f]{2})+)$/,
  read: ({ N, r, p, salt = '', output = '' }) =>
    scryptHash(
      { exponent: Math.log2(Number(N)), size: Number(r), lanes: Number(p) },
      Buffer.from(salt),
      Buffer.from(output, 'hex'),
    ),
}

const betterAuth: HashFormat = {
  pattern: /^(?<salt>[0-9a-f]{32}):(?<output>[0-9a-f]{128})$/,
  read: ({ salt = '', output = '' }) => {
    const cost = { exponent: 14, size: 16, lanes: 1 }
    const hash = scryptHash(cost, Buffer.from(salt), Buffer.from(output, 'hex'))
    if (typeof hash === 'string') return hash
    return { ...hash, verify: (password, key) => hash.verify(password.normalize('NFKC'), key) }
  },
}

export const scryptForms = [phc, werkzeug, betterAuth]

/**
 * Firebase's format. An imported text has the project's key (`sk`). The stored text has the key's id (`kid`) instead.
 */
const firebasePattern = (keyed: string) =>
  new RegExp(
    `^(?<start>\\$fbscrypt\\$v=1,n=(?<n>\\d{1,2}),r=(?<r>\\d{1,9}),p=(?<p>\\d{1,9}),(?:ss=(?<ss>[\\w+/=-]*),)?)${keyed}` +
      '(?<end>\\$(?<salt>[\\w+/=-]+)\\$(?<output>[\\w+/=-]+))$',
  )

const derivedBytes = 32
/** Firebase encrypts the project's key by AES-256-CTR with the derived key. The counter starts with zeros. */
const firstCounter = Buffer.alloc(16)

const readFirebase: HashFormat['read'] = ({
  n,
  r,
  p,
  ss = '',
  kid,
  salt: saltText = '',
  output: outputText = '',
}) => {
  const cost = { exponent: Number(n), size: Number(r), lanes: Number(p) }
  const [salt, output] = [decode(saltText), decode(outputText)]
  const salted = Buffer.concat([salt, decode(ss)])
  const wrongText = firstOf(
    wrongBase64(saltText, 'salt'),
    wrongBase64(outputText, 'hash'),
    wrongBase64(ss, 'salt separator'),
  )
  return (
    firstOf(wrongCost(cost), wrongText, wrongSalt(salt), wrongOutput(output)) ?? {
      memoryBytes: memoryOf(cost),
      ...(kid !== undefined && { keyId: kid }),
      verify: async (password, key) => {
        const derived = await derive(password, salted, cost, derivedBytes)
        const cipher = createCipheriv('aes-256-ctr', derived, firstCounter)
        return isEqual(Buffer.concat([cipher.update(key), cipher.final()]), output)
      },
    }
  )
}

export const firebaseImported: HashFormat = {
  pattern: firebasePattern('sk=(?<sk>[\\w+/=-]+)'),
  read: (groups) => {
    const { sk = '', output = '' } = groups
    const isKey = decode(sk).length === decode(output).length
    const wrongKey = unless(isKey, 'its key (sk) is not that of its hash')
    return firstOf(wrongBase64(sk, 'key (sk)'), wrongKey) ?? readFirebase(groups)
  },
}
export const firebaseStored: HashFormat = {
  pattern: firebasePattern('kid=(?<kid>[\\w-]{22})'),
  read: readFirebase,
}

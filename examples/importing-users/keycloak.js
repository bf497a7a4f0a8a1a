/** The file of `kc.sh export` as rows: node keycloak.js < realm.json > users.ndjson */
import { text } from 'node:stream/consumers'

const digests = { pbkdf2: ['sha1', 20], 'pbkdf2-sha256': ['sha256', 32], 'pbkdf2-sha512': ['sha512', 64] }
const plain = (base64) => base64.replace(/=+$/, '')

/** Keycloak derives 64 bytes of any digest. The first ones, up to the length of the digest, are a hash by themselves. */
const pbkdf2 = ([digest, bytes], rounds, { value, salt }) => {
  const hash = Buffer.from(value, 'base64').subarray(0, bytes).toString('base64')
  return `$pbkdf2-${digest}$i=${rounds}$${plain(salt)}$${plain(hash)}`
}

const argon2 = (passes, { memory, parallelism }, { value, salt }) =>
  `$argon2id$v=19$m=${memory[0]},t=${passes},p=${parallelism[0]}$${plain(salt)}$${plain(value)}`

const hashOf = ({ credentialData, secretData }) => {
  const { algorithm, hashIterations, additionalParameters } = JSON.parse(credentialData)
  const secret = JSON.parse(secretData)
  if (algorithm === 'argon2') return argon2(hashIterations, additionalParameters, secret)
  return digests[algorithm] && pbkdf2(digests[algorithm], hashIterations, secret)
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const base32 = (bytes) => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{1,5}/g, (five) => letters[Number.parseInt(five.padEnd(5, '0'), 2)])
}

/** The bytes of an authenticator's secret are those of its text. */
const totpOf = ({ secretData }) => base32(Buffer.from(JSON.parse(secretData).value))

for (const user of JSON.parse(await text(process.stdin)).users) {
  if (!user.email) continue
  const { credentials = [], email, username, emailVerified, enabled, firstName = '', lastName = '' } = user
  const password = credentials.find(({ type }) => type === 'password')
  const totp = credentials.find(({ type }) => type === 'otp')
  const hash = password && hashOf(password)
  console.log(
    JSON.stringify({
      email,
      username,
      nickname: `${firstName} ${lastName}`.trim(),
      status: enabled ? 1 : 0,
      email_verified: emailVerified,
      ...(hash && { password_hash: hash }),
      ...(totp && { totp_secret: totpOf(totp) }),
    }),
  )
}

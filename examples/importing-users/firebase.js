/**
 * The file of `firebase auth:export users.json` as rows: node firebase.js PROJECT.json < users.json > users.ndjson
 *
 * PROJECT.json has the hash parameters of the project: Authentication, Users, Password hash parameters.
 */
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

const project = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const { base64_signer_key: key, base64_salt_separator: separator, rounds, mem_cost: memory } = project
const start = `$fbscrypt$v=1,n=${memory},r=${rounds},p=1,ss=${separator},sk=${key}`

for (const user of JSON.parse(await text(process.stdin)).users) {
  if (!user.email) {
    console.error(`${user.localId}: there is no e-mail`)
    continue
  }
  const { email, emailVerified, displayName = '', disabled, passwordHash, salt } = user
  const row = { email, email_verified: emailVerified, nickname: displayName, status: disabled ? 0 : 1 }
  const hash = passwordHash && { password_hash: `${start}$${salt}$${passwordHash}` }
  console.log(JSON.stringify({ ...row, ...hash }))
}

/** The file of `manage.py dumpdata auth.user --format jsonl` as rows: node django.js < django.jsonl > users.ndjson */
import { createInterface } from 'node:readline'

const withoutPadding = (base64) => base64.replace(/=+$/, '')

/** Django takes the salt as the text that it is. */
const scrypt = ([, N, salt, r, p, hash]) => {
  const saltText = withoutPadding(Buffer.from(salt).toString('base64'))
  return `$scrypt$ln=${Math.log2(N)},r=${r},p=${p}$${saltText}$${withoutPadding(hash)}`
}

/** Django writes its own name of the algorithm before the hashes of others. */
const hashOf = (password) =>
  password.startsWith('scrypt$')
    ? scrypt(password.split('$'))
    : password.replace(/^(?:argon2|bcrypt)(?=\$)/, '').replace(/^\$\$2/, '$2')

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue
  const { email, username, first_name, last_name, is_active, password } = JSON.parse(line).fields
  const nickname = [first_name, last_name].filter(Boolean).join(' ')
  // A model without this field has active users only.
  const row = { email, username, nickname, status: is_active === false ? 0 : 1 }
  // A password that begins with "!" opens nothing.
  const hash = /^!|^$/.test(password) ? {} : { password_hash: hashOf(password) }
  console.log(JSON.stringify({ ...row, ...hash }))
}

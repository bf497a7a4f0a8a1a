/** The file of `manage.py dumpdata auth.user --format jsonl` as rows: node django.js < django.jsonl > users.ndjson */
import { createInterface } from 'node:readline'

/** Django writes its own name of the algorithm before the hashes of others. */
const hashOf = (password) => password.replace(/^(?:argon2|bcrypt)(?=\$)/, '').replace(/^\$\$2/, '$2')

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue
  const { email, username, first_name, last_name, is_active, password } = JSON.parse(line).fields
  const row = { email, username, nickname: `${first_name} ${last_name}`.trim(), status: is_active ? 1 : 0 }
  // A password that begins with "!" opens nothing.
  const hash = /^!|^$/.test(password) ? {} : { password_hash: hashOf(password) }
  console.log(JSON.stringify({ ...row, ...hash }))
}

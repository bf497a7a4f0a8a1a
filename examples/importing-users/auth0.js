/** Auth0's export of password hashes as rows: node auth0.js < auth0.ndjson > users.ndjson */
import { createInterface } from 'node:readline'

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue
  const { email, email_verified, passwordHash } = JSON.parse(line)
  console.log(JSON.stringify({ email, email_verified, password_hash: passwordHash }))
}

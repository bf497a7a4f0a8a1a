/**
 * Better Auth, configured as in its documentation. It runs on node:http with the `pg` adapter, the admin and
 * organization plugins, dynamic roles, and the cookie cache of its performance guide.
 */
import { createServer } from 'node:http'
import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { admin, organization } from 'better-auth/plugins'
import { createAccessControl } from 'better-auth/plugins/access'
import { defaultStatements } from 'better-auth/plugins/organization/access'
import { Pool } from 'pg'

const port = Number(process.env['PORT'])
const ac = createAccessControl(defaultStatements)

const options = {
  baseURL: `http://127.0.0.1:${port}`,
  secret: process.env['BETTER_AUTH_SECRET'],
  database: new Pool({ connectionString: process.env['DATABASE_URL'] }),
  emailAndPassword: { enabled: true },
  session: { cookieCache: { enabled: true, maxAge: 5 * 60 } },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: 'error' },
  plugins: [
    admin(),
    organization({
      ac,
      dynamicAccessControl: { enabled: true, maximumRolesPerOrganization: 100 },
      membershipLimit: 100_000,
    }),
  ],
} satisfies BetterAuthOptions

if (process.argv[2] === 'migrate') {
  await (await getMigrations(options)).runMigrations()
  process.exit(0)
}

const handle = toNodeHandler(betterAuth(options))
createServer((request, response) => void handle(request, response)).listen(port, '127.0.0.1')

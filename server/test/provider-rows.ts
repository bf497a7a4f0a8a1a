/** Providers of the installation, for tests. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { unique, type Caller } from './factories.ts'
import { parts } from './harness.ts'

/** The fields of a new provider. */
export const newProvider = (changes: object = {}) => ({
  kind: 'google',
  slug: unique('p'),
  name: 'Google',
  client_id: 'tenantry',
  client_secret: 'a secret of the provider',
  ...changes,
})

/** Other tests of the database see no provider. */
export const deleteProviders = () => parts.store.scoped({}).run(sql`delete from providers`)

/** Lets a provider be active without a test. */
export const activateProvider = (id: string) =>
  parts.store.scoped({}).run(sql`update providers set status = 'active' where id = ${id}`)

/** An identity of an account, at an active provider with the slug `house`. */
export const insertIdentity = async ({ email }: Pick<Caller, 'email'>): Promise<string> => {
  const id = randomUUID()
  const db = parts.store.scoped({})
  await db.run(sql`
    insert into providers (id, slug, kind, name, status, config, sealed, allow_new, created_at, updated_at)
    values (${randomUUID()}, 'house', 'google', 'Google', 'active', '{"client_id":"any","scopes":"openid"}', ${Buffer.alloc(1)}, true, now(), now())
    on conflict do nothing`)
  await db.run(sql`
    insert into identities (id, account_id, provider_id, subject, label, created_at)
    select ${id}::uuid, a.id, p.id, ${id}, 'ada@example.com', now()
    from accounts a, providers p where a.email = ${email} and p.slug = 'house'`)
  return id
}

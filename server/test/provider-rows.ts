/** Providers of the installation, for tests. */
import sql from 'sql-template-tag'
import { unique } from './factories.ts'
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

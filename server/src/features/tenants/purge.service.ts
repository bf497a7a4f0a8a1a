import type { Parts } from '../../context.ts'
import * as store from './tenants.store.ts'

/** Rows a transaction deletes: a few milliseconds' worth, so that others get their turn in between. */
const batchRows = 1000

type PurgeParts = Pick<Parts, 'store'>

/** Deletes all rows of a removed tenant, in batches. Can be stopped anywhere and run again, also by several at once. */
export const purgeTenant = async (parts: PurgeParts, tenantId: string): Promise<void> => {
  for (const table of store.purgedTables) {
    await untilDone(() =>
      parts.store.transaction(
        { tenantId },
        (db) => store.deleteRowsOfTenant(db, table, tenantId, batchRows),
        'tenantry_purge',
      ),
    )
  }
  await untilDone(() => purgeUsers(parts, tenantId))
  await parts.store.transaction({ tenantId }, (db) => store.deleteTenantRow(db, tenantId), 'tenantry_purge')
}

const purgeUsers = (parts: PurgeParts, tenantId: string): Promise<number> =>
  parts.store.transaction(
    { tenantId },
    async (db) => {
      const users = await store.deleteUserRowsOfTenant(db, tenantId, batchRows)
      await store.deleteAccountRows(
        db,
        users.map((user) => user.account_id),
      )
      return users.length
    },
    'tenantry_purge',
  )

const untilDone = async (deleteBatch: () => Promise<number>): Promise<void> => {
  while ((await deleteBatch()) === batchRows);
}

/** Finishes what a crash left: called at start and now and then. */
export const purgeRemovedTenants = async (parts: PurgeParts): Promise<void> => {
  for (const { id } of await store.selectRemovedTenants(parts.store.scoped({}))) await purgeTenant(parts, id)
}

/** The data that one tenant stores about a user. */
import { inTenant, type Ctx } from '../../../context.ts'
import type { Capacity } from '../../configuration/attributes/attribute-access.service.ts'
import { readValues, readDeclared } from '../../configuration/attributes/values.service.ts'
import { withoutUnreadable } from '../../configuration/attributes/attribute-records.service.ts'
import { recordsAbout, recordsBy } from '../../audit/audit/person.service.ts'
import { list, value, type Pieces } from './json-pieces.ts'
import type { ExportedConsent, ExportedNotification, ExportedSession } from './personal-data.schemas.ts'
import * as store from './personal-data.store.ts'

/** Throws if the caller may no longer read the export. Runs before each read. */
export type Check = () => Promise<unknown>

/** Reads rows in batches. Each batch begins after the last row of the earlier batch. */
export async function* batchesOf<Row>(
  check: Check,
  readAfter: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let rows: Row[] = []
  do {
    await check()
    rows = await readAfter(rows.at(-1))
    yield rows
  } while (rows.length === store.batchRows)
}

/**
 * The fields of an export about a user of the tenant in scope. Undefined if the user no longer exists. Of attributes it has
 * those that are readable in each of the capacities `readers`.
 */
export const membershipFields = async (
  outer: Ctx,
  who: store.ExportedUserId,
  check: Check,
  readers: Capacity[] = ['self'],
): Promise<Record<string, Pieces> | undefined> => {
  const ctx = inTenant(outer, who.tenantId)
  const { db } = ctx
  await check()
  const [tenant, user, roles, settings, attributes, declared] = await Promise.all([
    store.selectTenant(db, who.tenantId),
    store.selectUser(db, who),
    store.selectRoles(db, who),
    store.selectSettings(db, who),
    readValues(ctx, who, ...readers),
    readDeclared(ctx, 'user'),
  ])
  if (!tenant || !user) return undefined
  const { userId } = who
  return {
    tenant: value(tenant),
    user: value(user),
    roles: value(roles),
    settings: value(settings),
    attributes: value(attributes),
    sessions: list(batchesOf<ExportedSession>(check, (last) => store.selectSessionsAfter(db, who, last))),
    consents: list(batchesOf<ExportedConsent>(check, (last) => store.selectConsentsAfter(db, who, last))),
    notifications: list(
      batchesOf<ExportedNotification>(check, (last) => store.selectNotificationsAfter(db, who, last)),
    ),
    records_about: list(withoutUnreadable(declared, recordsAbout(ctx, userId, check))),
    records_by: list(recordsBy(ctx, userId, check)),
  }
}

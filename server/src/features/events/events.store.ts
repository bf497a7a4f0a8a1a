import sql from 'sql-template-tag'
import type { Db } from '../../db/client.ts'
import { isoTime } from '../../db/columns.ts'
import type { Notification } from '../notifications/notifications.schemas.ts'
import type { SealedChange } from './events.schemas.ts'

export interface SealedRow extends SealedChange {
  /** The acting user. */
  user_id: number
  /** The seal's number over all tenants. */
  number: number
  sequence: number
  /** The place of the record in the seal, from 0. */
  index: number
}

/** A place in the chain of a tenant, by the sequence of the seal and the place in it. */
export interface SealPlace {
  sequence: number
  index: number
}

/** Seals of one read; each has up to 1000 records. */
const sealsMax = 20

/**
 * The sealed records of a tenant behind a place, up to the seal of a number. Leaves those out that an import brought. Each
 * record is looked up by itself: of a tenant that statistics do not know yet, a join would read all records for each.
 */
export const selectSealedAfter = (
  db: Db,
  tenantId: string,
  after: SealPlace,
  { upToNumber, limit }: { upToNumber: number; limit: number },
) =>
  db.many<SealedRow>(sql`
    select l.id, l.tenant_id, l.action, l.resource, l.resource_id, l.user_id, r.number, r.sequence, r.index
    from (
        select s.number, s.sequence, one.place - 1 as index, one.id as record_id
        from (
            select number, sequence, record_ids from audit_seals
            where tenant_id = ${tenantId} and sequence >= ${after.sequence} and number <= ${upToNumber}
            order by sequence limit ${sealsMax}
          ) s
        cross join lateral unnest(s.record_ids) with ordinality as one (id, place)
        where (s.sequence > ${after.sequence} or one.place - 1 > ${after.index})
          and one.id > coalesce((select imported_to from tenants where id = ${tenantId}), 0)
        order by s.sequence, one.place
        limit ${limit}
      ) r
    cross join lateral (
        select * from audit_logs where tenant_id = ${tenantId} and id = r.record_id limit 1
      ) l
    order by r.sequence, r.index`)

/** The last seal of the tenant in scope up to a number. */
export const selectSealUpTo = (db: Db, tenantId: string, number: number) =>
  db.one<{ sequence: number; number: number }>(sql`
    select sequence, number from audit_seals
    where tenant_id = ${tenantId} and number <= ${number} order by sequence desc limit 1`)

/** The first seal of the tenant in scope that has not expired. */
export const selectFirstSeal = (db: Db, tenantId: string) =>
  db.one<{ sequence: number }>(sql`
    select sequence from audit_seals where tenant_id = ${tenantId} order by sequence limit 1`)

/** How many notifications of each of these users are unread. */
export const countUnread = (db: Db, tenantId: string, userIds: number[]) =>
  db.many<{ user_id: number; count: number }>(sql`
    select user_id, count(*) as count from notifications
    where tenant_id = ${tenantId} and user_id = any (${userIds}) and not is_read
    group by user_id`)

/** The notifications of these users with ids from one to another; the newest first, at most `limit` of each user. */
export const selectNewNotifications = (
  db: Db,
  tenantId: string,
  userIds: number[],
  { firstId, lastId, limit }: { firstId: number; lastId: number; limit: number },
) =>
  db.many<Notification>(sql`
    select n.* from unnest(${userIds}::bigint[]) as u (id)
    cross join lateral (
      select id, tenant_id, user_id, title, content, type, is_read, ${isoTime('created_at')} as created_at
      from notifications
      where tenant_id = ${tenantId} and user_id = u.id and id between ${firstId} and ${lastId}
      order by id desc limit ${limit}
    ) n`)

/** The users of an account in all tenants. Runs in the scope of the account. */
export const selectUsersOfAccount = (db: Db, accountId: number) =>
  db.many<{ tenant_id: string; id: number }>(
    sql`select tenant_id, id from users where account_id = ${accountId}`,
  )

/** Those of these sessions, of all tenants, that have ended. */
export const selectEndedSessions = (db: Db, tenantIds: string[], ids: string[]) =>
  db.many<{ id: string }>(sql`
    select open.id from unnest(${tenantIds}::uuid[], ${ids}::uuid[]) as open (tenant_id, id)
    left join sessions s on s.tenant_id = open.tenant_id and s.id = open.id
    where s.id is null`)

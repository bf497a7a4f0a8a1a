/** Sessions of applications, as a sign-in opens them. */
import sql from 'sql-template-tag'
import { giveSession, newApplication } from './applications.ts'
import type { Caller } from './factories.ts'
import { parts } from './harness.ts'
import { claimsOf } from './people.ts'

/** The session of a token. */
export const sessionOf = ({ token }: Pick<Caller, 'token'>): string => claimsOf(token).sessionId

/** Lets the session of a caller use no other permissions than these. */
export const narrow = (caller: Caller, codes: string[] | null) =>
  parts.store
    .scoped({ tenantId: caller.tenantId })
    .run(sql`update sessions set narrowed_codes = ${codes}::text[] where id = ${sessionOf(caller)}`)

/** Gives the session of a caller the id of another one. */
export const renameSession = (caller: Caller, id: string) =>
  parts.store
    .scoped({ tenantId: caller.tenantId })
    .run(sql`update sessions set id = ${id} where id = ${sessionOf(caller)}`)

/** Makes the sessions of a user those of a new application, and returns its id. */
export const ofApplication = async (caller: Caller): Promise<number> => {
  const { id: applicationId } = await newApplication()
  await giveSession(caller, { applicationId })
  return applicationId
}

/** Enables or disables an application, which ends no session as the API would. */
export const setStatus = (tenantId: string, applicationId: number, status: 0 | 1) =>
  parts.store
    .scoped({ tenantId })
    .run(sql`update applications set status = ${status} where id = ${applicationId} returning id`)

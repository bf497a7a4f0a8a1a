import { changingAuthority, refusalOfGift, type AuthorityCtx } from '../../../access/authority.ts'
import { may, policies } from '../../../access/policies.ts'
import type { Ctx, EarlyCtx } from '../../../context.ts'
import { importForeign } from '../../../crypto/foreign-hashes.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { orRefusal, type AppError } from '../../../errors/app-error.ts'
import type { CheckedItem } from '../../../http/schemas.ts'
import type { Actor } from '../../../access/actor.ts'
import { rollingBack } from '../../../rehearsal.ts'
import { fold } from '../../../values/text.ts'
import {
  enterRoom,
  limitReached,
  requireRoom,
  spaceIn,
  type Room,
} from '../../configuration/limits/limits.service.ts'
import { listGivenRoles } from '../invitations/invitations.service.ts'
import { freeEmail } from '../../accounts/users/users.service.ts'
import { capacityOf, type Capacity } from '../../configuration/attributes/attribute-access.service.ts'
import { lockDeclared } from '../../configuration/attributes/values.service.ts'
import { keysIn, refuseAttributes } from './row-attributes.ts'
import { createAll, type Roles } from './creation.service.ts'
import type { ImportedUsers, ImportResult, ImportRow } from './imports.schemas.ts'
import * as store from './imports.store.ts'
import { copyOf, existing, refusal, refusalOf, decide, type Sheet, type UndecidedRow } from './sheet.ts'
import { assignNames } from './usernames.service.ts'

export type CheckedRows = { rows: CheckedItem<ImportRow>[] }

interface Authority {
  /** The capacity in which the import writes attributes; undefined if it writes none. */
  capacity: Capacity | undefined
  /** Whether the import accepts hashes, confirmed addresses and factors. */
  mayVouch: boolean
  /** The reason why the caller cannot give all of `codes` without an end. Undefined for none. */
  fault(codes: string[]): AppError | undefined
}

const operator: Authority = { capacity: 'platform', mayVouch: true, fault: () => undefined }

const mayVouch = (actor: Actor): boolean => may(actor, policies.importCredentials, undefined)

const authorityOf = (actor: Actor): Authority => ({
  capacity: may(actor, policies.writeAttributesOfUsers, undefined) ? capacityOf(actor) : undefined,
  mayVouch: mayVouch(actor),
  fault: (codes) => refusalOfGift(actor, codes),
})

/**
 * Imports users into the tenant in scope, in one transaction. Creates or refuses each row separately. `countRow` counts
 * the rows of callers without platform permissions, because each row reveals whether an address has an account. It
 * refuses rows beyond the limit. Throws 403 if new users get a permission that the caller lacks.
 */
export const importUsers = async (
  ctx: Ctx,
  { rows }: CheckedRows,
  countRow: (actor: Actor) => Promise<void>,
): Promise<ImportedUsers> => {
  const sheet = openSheet(ctx, rows)
  if (!mayVouch(ctx.actor)) await countRows(ctx, sheet, countRow)
  const results = await untilAlone(() =>
    importSheet(ctx, sheet, (ctx, facts) => fill(ctx, facts, authorityOf(ctx.actor))),
  )
  return { results }
}

/** Imports users by the operator's command. */
export const importUsersByOperator = async (ctx: Ctx, { rows }: CheckedRows): Promise<ImportedUsers> => {
  const sheet = openSheet(ctx, rows)
  return {
    results: await untilAlone(() => importSheet(ctx, sheet, (ctx, facts) => fill(ctx, facts, operator))),
  }
}

/** Imports users and rolls back. */
export const tryImportUsers = async (ctx: Ctx, { rows }: CheckedRows): Promise<ImportedUsers> => {
  const sheet = openSheet(ctx, rows)
  const results = await rollingBack<{ fill: () => Promise<ImportResult[]> }, ImportResult[]>(
    (doomed) => importSheet(ctx, sheet, (ctx, facts) => doomed({ fill: () => fill(ctx, facts, operator) })),
    ({ fill: work }) => work(),
  )
  return { results }
}

/** Checks each row without a query of the database. */
const openSheet = ({ parts }: Ctx, rows: CheckedItem<ImportRow>[]): Sheet => {
  const sheet: Sheet = { results: [], wanted: [] }
  for (const [index, checked] of rows.entries()) {
    if ('fault' in checked) {
      const { field, message } = checked.fault
      sheet.results[index] = refusal('invalidInput', message, field === 'body' ? '' : field)
    } else {
      open(sheet, index, checked.item)
    }
  }
  const needsKey = ({ row, hash }: UndecidedRow) => hash?.key !== undefined || row.totp_secret !== undefined
  decide(sheet, (wanted) =>
    parts.secrets.isOn || !needsKey(wanted)
      ? undefined
      : refusal('secretsOff', 'This needs a secret key. Ask the operator to set TENANTRY_SECRET_KEY'),
  )
  return sheet
}

const open = (sheet: Sheet, index: number, row: ImportRow): void => {
  const hash = row.password_hash === undefined ? undefined : importForeign(row.password_hash)
  if (typeof hash === 'string') sheet.results[index] = refusal('invalidInput', hash, 'password_hash')
  else sheet.wanted.push({ index, row, emailFolded: fold(row.email), hash })
}

/**
 * Counts all rows but the first, which the limit of requests has counted. Refuses rows beyond the limit as that limit
 * refuses requests.
 */
const countRows = async (
  { actor }: Ctx,
  sheet: Sheet,
  countRow: (actor: Actor) => Promise<void>,
): Promise<void> => {
  const counted = sheet.wanted.slice(0, 1)
  let beyond: AppError | undefined
  for (const wanted of sheet.wanted.slice(1)) {
    const refused = await orRefusal(countRow(actor))
    if (refused) {
      beyond = refused
      break
    }
    counted.push(wanted)
  }
  const kept = new Set(counted)
  decide(sheet, (wanted) => (beyond && !kept.has(wanted) ? refusalOf(beyond) : undefined))
}

const attemptsMax = 5
/** Another transaction took an address or a username after this transaction's check. */
const isRace = (err: unknown): boolean =>
  violatesUnique(err, 'accounts_email_key') || violatesUnique(err, 'users_tenant_id_username_key')

/** Repeats an import after such a conflict. The next attempt finds the address or name taken. */
const untilAlone = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let attempts = 1; attempts < attemptsMax; attempts += 1) {
    try {
      return await attempt()
    } catch (err) {
      if (!isRace(err)) throw err
    }
  }
  return attempt()
}

/** The rows, and the state of the database that decides about them. */
interface Facts {
  sheet: Sheet
  addresses: store.KnownAddress[]
  roles: Roles
  /** The users of the tenant before the import. */
  room: Room
}

const importSheet = async <T>(
  ctx: Ctx,
  opened: Sheet,
  work: (ctx: AuthorityCtx, facts: Facts) => Promise<T>,
): Promise<T> => {
  await freeEmails(ctx, opened)
  return changingAuthority(
    ctx,
    (ctx) => readFacts(ctx, opened),
    (ctx, [addresses, roles, room]) => work(ctx, { sheet: copyOf(opened), addresses, roles, room }),
  )
}

const addressesOf = ({ wanted }: Sheet): string[] => [
  ...new Set(wanted.map(({ emailFolded }) => emailFolded)),
]

/** Releases the addresses of accounts whose tenants are all removed. */
const freeEmails = async (ctx: Ctx, sheet: Sheet): Promise<void> => {
  const known = await store.selectAddresses(ctx.db, ctx.tenantId, addressesOf(sheet))
  for (const { email_folded: email, user_id: userId } of known) {
    if (userId === null) await freeEmail(ctx, email)
  }
}

const readFacts = (ctx: EarlyCtx, sheet: Sheet) => {
  const roleIds = new Set(sheet.wanted.flatMap(({ row }) => row.role_ids ?? []))
  return Promise.all([
    store.selectAddresses(ctx.db, ctx.tenantId, addressesOf(sheet)),
    listGivenRoles(ctx, [...roleIds]),
    enterRoom(ctx, 'users'),
  ])
}

/** Checks the rows against the database, and creates users for the rows without an objection. */
const fill = async (ctx: AuthorityCtx, facts: Facts, authority: Authority): Promise<ImportResult[]> => {
  const { sheet } = facts
  requireGivingStart(facts, authority)
  if (!authority.mayVouch) decide(sheet, refuseCredentials)
  const repeated = decideByAddress(facts)
  decide(sheet, roleJudge(facts, authority))
  const declared = await lockDeclared(ctx, keysIn(sheet))
  decide(sheet, (wanted) => refuseAttributes(wanted, declared, authority.capacity))
  const names = await assignNames(ctx, sheet)
  decide(sheet, ({ index }) =>
    names.has(index)
      ? undefined
      : refusal('usernameTaken', 'This username is taken in the tenant', 'username'),
  )
  decide(sheet, roomJudge(ctx, facts))
  const { length: most } = sheet.wanted
  if (most > 0) await createAll(ctx, { ...facts, declared }, names)
  await requireRoom(ctx, facts.room, most)
  for (const [index, first] of repeated) {
    const { status, user_id: id } = sheet.results[first] ?? { status: 'refused', user_id: 0 }
    sheet.results[index] =
      status === 'refused'
        ? refusal('emailTaken', 'An earlier row with this address was refused', 'email')
        : existing(id)
  }
  return sheet.results
}

/** Throws 403 unless the caller can give the roles that every new user gets. */
const requireGivingStart = ({ roles }: Facts, authority: Authority): void => {
  const given = roles.filter((role) => role.is_given && !role.is_starting).flatMap(({ codes }) => codes)
  const fault = authority.fault([...new Set(given)])
  if (fault) throw fault
}

const credentials = ['password_hash', 'email_verified', 'totp_secret'] as const

const refuseCredentials = ({ row }: UndecidedRow): ImportResult | undefined => {
  const field = credentials.find((name) => row[name] !== undefined)
  return field && refusal('permissionMissing', 'This needs the permission tenant:enter', field)
}

/** Refuses rows by address. Returns the rows with the address of an earlier row, each with the index of that row. */
const decideByAddress = ({ sheet, addresses }: Facts): Map<number, number> => {
  const known = new Map(addresses.map(({ email_folded: email, user_id: userId }) => [email, userId]))
  const repeated = new Map<number, number>()
  const first = new Map<string, number>()
  decide(sheet, ({ index, emailFolded }) => {
    const userId = known.get(emailFolded)
    if (userId) return existing(userId)
    if (userId === null) {
      return refusal(
        'emailTaken',
        'This e-mail has an account already: invite the person by POST /invitations',
        'email',
      )
    }
    const earlier = first.get(emailFolded)
    if (earlier === undefined) first.set(emailFolded, index)
    else repeated.set(index, earlier)
    return undefined
  })
  sheet.wanted = sheet.wanted.filter(({ index }) => !repeated.has(index))
  return repeated
}

/** Refuses the enabled users that are beyond the limit of users. */
const roomJudge = (ctx: AuthorityCtx, { room }: Facts) => {
  let space = spaceIn(room)
  return ({ row: { status = 1 } }: UndecidedRow): ImportResult | undefined => {
    if (status === 0) return undefined
    if (space === 0) return refusalOf(limitReached(ctx, room))
    space -= 1
    return undefined
  }
}

const roleJudge = ({ roles }: Facts, authority: Authority) => {
  const faults = new Map(
    roles.map((role) => [role.id, role.is_starting ? undefined : authority.fault(role.codes)]),
  )
  return ({ row }: UndecidedRow): ImportResult | undefined => {
    for (const id of row.role_ids ?? []) {
      if (!faults.has(id)) return refusal('roleUnknown', 'The role does not exist in this tenant', 'role_ids')
      const fault = faults.get(id)
      if (fault) return refusalOf(fault, 'role_ids')
    }
    return undefined
  }
}

/** Creates the users of the accepted rows. */
import { giverOf, type AuthorityCtx } from '../../../access/authority.ts'
import { keepHashKey } from '../../../crypto/hash-keys.ts'
import { fold, searchedText } from '../../../values/text.ts'
import { changesBetween, recordEach } from '../../audit/audit/audit.service.ts'
import { addUserValues, type Declared } from '../../configuration/attributes/values.service.ts'
import { insertImportedTotp } from '../../accounts/factors/totp.service.ts'
import type { listGivenRoles } from '../invitations/invitations.service.ts'
import * as store from './imports.store.ts'
import type { Sheet, UndecidedRow } from './sheet.ts'

export type Roles = Awaited<ReturnType<typeof listGivenRoles>>

const accountOf = ({ row, emailFolded, hash }: UndecidedRow): store.NewAccount => ({
  email: row.email,
  email_folded: emailFolded,
  password_hash: hash?.text ?? '',
  password_scheme: hash ? 'foreign' : 'none',
  is_proved: row.email_verified === true,
  is_owned: row.email_verified === true && hash !== undefined,
})

const userOf = ({ row, accountId, username }: Created): store.NewUser => {
  const { email, nickname = '', status = 1 } = row
  return {
    account_id: accountId,
    email,
    username,
    username_folded: fold(username),
    nickname,
    search_folded: searchedText({ username, email, nickname }),
    status,
  }
}

/** A row after the creation of its account. */
interface Created extends UndecidedRow {
  accountId: number
  username: string
}

/** Sorts by address, because two imports with the same addresses would otherwise deadlock. */
const inOrder = (wanted: UndecidedRow[]): UndecidedRow[] =>
  wanted.toSorted((a, b) => (a.emailFolded < b.emailFolded ? -1 : 1))

/** Assigns a new user the roles of every new user, and those that the row names. */
const assigning = (ctx: AuthorityCtx, roles: Roles) => {
  const given = new Set(roles.filter((role) => role.is_given).map(({ id }) => id))
  const giver = giverOf(ctx)
  return (userId: number, named: number[] = []): store.NewAssignment[] =>
    [...new Set([...given, ...named])].map((roleId) => ({
      user_id: userId,
      role_id: roleId,
      source: given.has(roleId) ? 'default' : 'manual',
      assigned_by: giver.id,
      assigned_by_tenant: giver.elsewhere,
      assigned_by_account: giver.accountId,
    }))
}

/** Creates the users with accounts, roles, factors and audit records. */
export const createAll = async (
  ctx: AuthorityCtx,
  { sheet, roles, declared }: { sheet: Sheet; roles: Roles; declared: Declared },
  names: Map<number, string>,
): Promise<void> => {
  const { db, parts, tenantId } = ctx
  const now = parts.now()
  for (const key of keysOf(sheet)) keepHashKey(db, parts.secrets, key)
  const accounts = await store.insertAccounts(db, inOrder(sheet.wanted).map(accountOf), now)
  const accountIds = new Map(accounts.map(({ id, email_folded: email }) => [email, id]))
  const created = sheet.wanted.map((wanted) => ({
    ...wanted,
    accountId: accountIds.get(wanted.emailFolded) ?? 0,
    username: names.get(wanted.index) ?? '',
  }))
  const users = await store.insertUsers(db, tenantId, created.map(userOf), now)
  const userIds = new Map(users.map(({ id, account_id: accountId }) => [accountId, id]))
  const idOf = ({ accountId }: Created) => userIds.get(accountId) ?? 0
  const assign = assigning(ctx, roles)
  store.insertAssignments(
    db,
    tenantId,
    created.flatMap((one) => assign(idOf(one), one.row.role_ids)),
  )
  for (const { accountId, row } of created) {
    if (row.totp_secret !== undefined) insertImportedTotp(ctx, accountId, row.totp_secret)
  }
  const details = addUserValues(
    ctx,
    declared,
    created.flatMap((one) => (one.row.attributes ? { userId: idOf(one), values: one.row.attributes } : [])),
  )
  const nameOfRole = new Map(roles.map(({ id, name }) => [id, name]))
  recordEach(
    ctx,
    created.map((one) => ({
      action: 'user.create' as const,
      resourceId: idOf(one),
      detail: { ...detailOf(one, nameOfRole), ...details.get(idOf(one)) },
      effect: effectOf(one, roles),
    })),
  )
  for (const one of created) sheet.results[one.index] = { status: 'created', user_id: idOf(one), error: null }
}

/** Roles that the row names are gifts. Those of every new user are not. */
const effectOf = ({ row: { role_ids: ids = [] } }: Created, roles: Roles) =>
  ids.length === 0
    ? {}
    : { gives: [...new Set(roles.flatMap(({ id, codes }) => (ids.includes(id) ? codes : [])))] }

/** The distinct secret keys of the hashes. */
const keysOf = ({ wanted }: Sheet): Buffer[] => {
  const keys = wanted.flatMap(({ hash }) => hash?.key ?? [])
  return [...new Map(keys.map((key) => [key.toString('base64'), key])).values()]
}

/** The audit record names the kinds of imported credentials. It contains no credentials. */
const detailOf = ({ row, username, hash }: Created, nameOfRole: Map<number, string>) => {
  const { email, nickname = '', status = 1, role_ids: roleIds = [] } = row
  return changesBetween(
    {},
    {
      email,
      username,
      nickname,
      status,
      ...(roleIds.length > 0 && { roles: roleIds.map((id) => nameOfRole.get(id) ?? id) }),
      ...(hash && { with_hash: true }),
      ...(row.email_verified && { email_verified: true }),
      ...(row.totp_secret !== undefined && { factors: ['totp'] }),
    },
  )
}

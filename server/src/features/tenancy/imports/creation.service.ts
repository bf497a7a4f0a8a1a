/** Creating users of rows that nothing stands against. */
import type { AuthorityCtx } from '../../../access/authority.ts'
import { keepHashKey } from '../../../crypto/hash-keys.ts'
import { fold, searchedText } from '../../../values/text.ts'
import { changesBetween, recordEach } from '../../audit/audit/audit.service.ts'
import { insertImportedTotp } from '../../accounts/factors/totp.service.ts'
import type { listGivenRoles } from '../invitations/invitations.service.ts'
import * as store from './imports.store.ts'
import type { Sheet, Wanted } from './sheet.ts'

export type Roles = Awaited<ReturnType<typeof listGivenRoles>>

const accountOf = ({ row, emailFolded, hash }: Wanted): store.NewAccount => ({
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

/** A row whose account exists. */
interface Created extends Wanted {
  accountId: number
  username: string
}

/** In one order for all imports: two of them with the same addresses do not wait for each other. */
const inOrder = (wanted: Wanted[]): Wanted[] =>
  wanted.toSorted((a, b) => (a.emailFolded < b.emailFolded ? -1 : 1))

/** Creates the users with accounts, roles, factors and records. */
export const createAll = async (
  ctx: AuthorityCtx,
  { sheet, roles }: { sheet: Sheet; roles: Roles },
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
    username: names.get(wanted.place) ?? '',
  }))
  const users = await store.insertUsers(db, tenantId, created.map(userOf), now)
  const userIds = new Map(users.map(({ id, account_id: accountId }) => [accountId, id]))
  const idOf = ({ accountId }: Created) => userIds.get(accountId) ?? 0
  const given = roles.filter((role) => role.is_given).map(({ id }) => id)
  const assignments = created.flatMap((one) =>
    [...new Set([...given, ...(one.row.role_ids ?? [])])].map((roleId) => ({
      user_id: idOf(one),
      role_id: roleId,
    })),
  )
  store.insertAssignments(db, tenantId, assignments)
  for (const { accountId, row } of created) {
    if (row.totp_secret !== undefined) insertImportedTotp(ctx, accountId, row.totp_secret)
  }
  const nameOfRole = new Map(roles.map(({ id, name }) => [id, name]))
  await recordEach(
    ctx,
    created.map((one) => ({
      action: 'user.create' as const,
      resourceId: idOf(one),
      detail: detailOf(one, nameOfRole),
    })),
  )
  for (const one of created) sheet.results[one.place] = { status: 'created', user_id: idOf(one), error: null }
}

/** The secret keys of the hashes, each once. */
const keysOf = ({ wanted }: Sheet): Buffer[] => {
  const keys = wanted.flatMap(({ hash }) => hash?.key ?? [])
  return [...new Map(keys.map((key) => [key.toString('base64'), key])).values()]
}

/** The record tells that credentials came along, and none of them. */
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

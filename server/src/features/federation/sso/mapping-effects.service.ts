/** The permissions that a change of a connection gives or takes by its roles. Approvals ask for them. */
import type { TransactionCtx } from '../../../context.ts'
import { listGivenRoles } from '../../tenancy/invitations/invitations.service.ts'
import * as store from './connections.store.ts'

type Roles = Pick<store.ConnectionRow, 'group_mappings' | 'default_role_ids'>
type Giving = Roles & Pick<store.ConnectionRow, 'status' | 'jit' | 'scim_account_id' | 'domains'>

/** A change of a connection. Undefined stands for no connection. */
interface ConnectionChange {
  before: Giving | undefined
  after: Giving | undefined
  /** Whether the provider or its secret is another one. */
  isOther?: boolean
}

/** The roles by the way in which the connection gives them: by a group, or to every new user. */
const waysOf = (row: Roles | undefined): Map<string, number> =>
  new Map([
    ...(row?.group_mappings ?? []).map(
      ({ group, role_id: id }) => [JSON.stringify([group, id]), id] as const,
    ),
    ...(row?.default_role_ids ?? []).map((id) => [`to new users ${id}`, id] as const),
  ])

/** The roles that `other` gives in a way that `one` does not. */
const addedRoles = (one: Roles | undefined, other: Roles | undefined): Set<number> => {
  const known = waysOf(one)
  return new Set([...waysOf(other)].flatMap(([way, id]) => (known.has(way) ? [] : [id])))
}

const isActive = (row: Giving): boolean => row.status === 'active'

/** Whether the connection gives roles now. A directory gives them whatever the status. */
const givesNow = (row: Giving): boolean => isActive(row) || row.scim_account_id !== null

/** Whether other people sign in by the active connection: by another provider, or as new users. */
const opensToOthers = (before: Giving, after: Giving, isOther: boolean): boolean =>
  isActive(after) && (!isActive(before) || isOther || (after.jit && !before.jit))

/** Whether other people come from another directory, or from a domain that is added. */
const bringsOthers = (before: Giving, after: Giving): boolean =>
  givesNow(after) &&
  (after.scim_account_id !== before.scim_account_id ||
    after.domains.some((domain) => !before.domains.includes(domain)))

/** Whether the change hands the roles of the connection to other people than before. */
const isHandedOver = ({ before, after, isOther = false }: ConnectionChange): boolean =>
  before !== undefined &&
  after !== undefined &&
  (opensToOthers(before, after, isOther) || bringsOthers(before, after))

/** Whether another directory, or none, takes the mapped roles of earlier groups. */
const leavesGroups = ({ before, after }: ConnectionChange): boolean =>
  before !== undefined &&
  after !== undefined &&
  givesNow(before) &&
  before.scim_account_id !== after.scim_account_id

const effectOf = async (ctx: TransactionCtx, added: Set<number>, removed: Set<number>) => {
  const roles = await listGivenRoles(ctx, [...added, ...removed])
  const codesOf = (ids: Set<number>) => [
    ...new Set(roles.flatMap(({ id, codes }) => (ids.has(id) ? codes : []))),
  ]
  return {
    ...(added.size > 0 && { gives: codesOf(added) }),
    ...(removed.size > 0 && { takes: codesOf(removed) }),
  }
}

/**
 * The permissions that a connection gives or takes after the change. A connection that opens to other people gives all
 * of its roles. Reads nothing unless a policy of the tenant asks.
 */
export const effectOfMapping = async (ctx: TransactionCtx, change: ConnectionChange) => {
  if (ctx.tenant.policies === null) return {}
  const { before, after } = change
  const added = addedRoles(isHandedOver(change) ? undefined : before, after)
  const mapped = before && leavesGroups(change) ? { ...before, default_role_ids: [] } : undefined
  const removed = new Set([...addedRoles(after, before), ...addedRoles(undefined, mapped)])
  return effectOf(ctx, added, removed)
}

/** The permissions that the people of a domain can get by its connection once the domain is verified. */
export const effectOfDomain = async (ctx: TransactionCtx, domainId: number) => {
  if (ctx.tenant.policies === null) return {}
  const connection = await store.selectConnectionOfDomain(ctx.db, ctx.tenantId, domainId)
  const giving = connection && givesNow(connection) ? connection : undefined
  return effectOf(ctx, addedRoles(undefined, giving), new Set())
}

/** The permissions of roles to which guests of a setup link can map groups. Guests need no approval. */
export const effectOfRoles = async (ctx: TransactionCtx, roleIds: number[]) =>
  ctx.tenant.policies === null ? {} : effectOf(ctx, new Set(roleIds), new Set())

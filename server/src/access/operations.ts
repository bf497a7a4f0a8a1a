/** The kinds of changes that a tenant can make depend on approvals (docs/contract.md, "Approvals"). */
export const operations = [
  'authority.give',
  'authority.take',
  'user.create',
  'user.disable',
  'user.delete',
  'user.recover',
  'key.create',
  'webhook.change',
  'elevation.start',
  'setting.security',
  'sso.change',
  'tenant.change',
  'catalogue.change',
  'application.change',
  'global.change',
] as const

/** A change of a policy has no policy of its own: any policy of the tenant asks for it. */
export const policyChange = 'policy.change'

export type Operation = (typeof operations)[number] | typeof policyChange

/** Operations of the installation. Only the built-in tenant has policies for them. */
export const platformOperations: ReadonlySet<Operation> = new Set([
  'tenant.change',
  'catalogue.change',
  'application.change',
  'global.change',
])

export interface ApprovalPolicy {
  operation: Operation
  approvals: number
  /** Only for `authority.give`: it then asks only for changes that give one of these. Empty: for all. */
  permission_codes: string[]
  break_glass: boolean
}

/** A record that a transaction wrote, with the effects that decide about approvals. */
export interface Effect {
  /** The tenant of the record. */
  tenantId: string
  action: string
  resourceId: string
  aboutUserId: number | null
  detail: Record<string, unknown>
  operations: readonly Operation[]
  /** The permissions that it gives somebody. Undefined if they are not known. */
  gives: readonly string[] | undefined
  takes: readonly string[] | undefined
}

/** The approval that a request carries, for its records. */
export interface UsedApproval {
  id: number
  reason: string
  approved_by: { id: number; name: string }[]
}

/** A request that runs as one transaction: a change with an approval, or the rehearsal of one. */
export interface Gathering {
  /** The tenant whose policies decide at the end of the request. */
  tenantId: string
  effects: Effect[]
  /** The permissions that the change asked of its caller. */
  needed: Set<string>
  approval: UsedApproval | undefined
  /** The request as its handler received it. Undefined if no handler did. */
  request: GatheredRequest | undefined
}

export interface GatheredRequest {
  method: string
  /** Below the base path of the API, with the query. */
  path: string
  body: unknown
}

/** What a tenant has. */
export interface Size {
  users: number
  records: number
}

/** The tenants that are compared, from the smallest to the largest, among so many small ones. */
export interface Ladder {
  rungs: Size[]
  smallTenants: number
}

export const sizeOfSmall: Size = { users: 10, records: 20 }

const powers = (first: number, count: number) =>
  Array.from({ length: count }, (_, power) => first * 10 ** power)

const rungsOf = (count: number): Size[] => {
  const records = powers(10_000, count)
  return powers(1000, count).map((users, rung) => ({ users, records: records[rung] ?? 0 }))
}

/** 1,000,000 users and 10,000,000 audit records in the largest tenant. */
export const full: Ladder = { rungs: rungsOf(4), smallTenants: 1000 }
export const small: Ladder = { rungs: rungsOf(3), smallTenants: 100 }

/** The size of the tenant that is removed: 100,000 users and 1,000,000 records of the full ladder. */
export const sizeOfRemoved = ({ rungs }: Ladder): Size => rungs.at(-2) ?? rungs.at(-1) ?? sizeOfSmall

export const sum = (sizes: Size[], of: keyof Size): number =>
  sizes.reduce((total, size) => total + size[of], 0)

/** A tenant of the ladder with its administrator, who is the caller of what is measured in it. */
export interface Tenant extends Size {
  id: string
  slug: string
  callerAddress: string
  /** Some users from all over the tenant. */
  userIds: number[]
  /** The user of one in a hundred of the records. */
  busyUserId: number
}

/** What the seeded users are found by. */
export const keywords = {
  /** In ten users of each tenant. */
  rare: 'quetzal',
  /** In one of twenty. */
  common: 'matilda',
  absent: 'xylophon',
  /** In the same users as the common one. */
  short: 'ma',
  shortAbsent: 'qq',
} as const

/** What the audit log is filtered by, besides the busy user. */
export const filters = {
  /** One in twenty records. */
  action: 'role.update',
  /** One in ten. */
  resource: 'setting',
  /** One in five of the busy user's. */
  actionOfUser: 'user.update',
} as const

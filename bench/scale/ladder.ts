/** The size of a tenant. */
export interface Size {
  users: number
  records: number
}

/** The compared tenants, from the smallest to the largest, among so many small ones. */
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

/** The size of the deleted tenant: 100,000 users and 1,000,000 records in the full ladder. */
export const sizeOfRemoved = ({ rungs }: Ladder): Size => rungs.at(-2) ?? rungs.at(-1) ?? sizeOfSmall

export const sum = (sizes: Size[], of: keyof Size): number =>
  sizes.reduce((total, size) => total + size[of], 0)

/** A tenant of the ladder; its administrator is the caller of all measurements in it. */
export interface Tenant extends Size {
  id: string
  slug: string
  callerAddress: string
  /** Users spread evenly over the tenant. */
  userIds: number[]
  /** The user with 1 % of the records. */
  busyUserId: number
}

/** Keywords for the seeded users. */
export const keywords = {
  /** Ten users of each tenant have it. */
  rare: 'quetzal',
  /** One user in twenty has it. */
  common: 'matilda',
  absent: 'xylophon',
  /** The users of the common keyword have it too. */
  short: 'ma',
  shortAbsent: 'qq',
} as const

/** Filters of the audit log, besides the busy user. */
export const filters = {
  /** One record in twenty has it. */
  action: 'role.update',
  /** One record in ten has it. */
  resource: 'setting',
  /** One in five of the busy user's records has it. */
  actionOfUser: 'user.update',
} as const

/** The indexed attributes of the seeded users, with a value of each. */
export const attributes = {
  /** One user in twenty has the value. */
  area: 'a7',
  /** One user in a thousand has the value. */
  office: 'o7',
} as const

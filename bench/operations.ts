/** What is compared. */
export const operations = [
  { name: 'ping', title: 'ping', hashes: false },
  { name: 'profile', title: 'own profile', hashes: false },
  { name: 'unread', title: 'unread count', hashes: false },
  { name: 'user', title: 'read one user', hashes: false },
  { name: 'users', title: 'user page, searched', hashes: false },
  { name: 'roles', title: 'roles with permissions', hashes: false },
  { name: 'audit', title: 'audit page', hashes: false },
  { name: 'setting', title: 'update a setting', hashes: false },
  { name: 'refresh', title: 'refresh', hashes: false },
  { name: 'login', title: 'login', hashes: true },
  { name: 'create', title: 'create a user', hashes: true },
] as const

export type OperationName = (typeof operations)[number]['name']

/** What every contender is seeded with, as far as it knows such things. */
export const seed = {
  users: 10_000,
  auditRecords: 10_000,
  /** Besides those that it brings along; each with so many permissions. */
  roles: 10,
  permissionsOfRole: 8,
  notifications: 200,
  settings: 20,
  /** Found in 100 of the users. */
  keyword: 'er012',
  password: 'a bench of Tenantry',
} as const

/** The seeded user with this number. */
export const username = (number: number): string => `user${String(number).padStart(5, '0')}`
export const email = (name: string): string => `${name}@example.com`

/** How many users are read in turn, one after another. */
export const usersInTurn = 100

/** What every contender is seeded with, as far as it knows such things. */
export const seed = {
  users: 10_000,
  auditRecords: 10_000,
  /** Besides those that it brings along; each with so many permissions. */
  roles: 10,
  permissionsOfRole: 8,
  notifications: 200,
  unread: 100,
  settings: 20,
  keyword: 'er012',
  /** Users that the keyword finds. */
  found: 100,
  password: 'a bench of Tenantry',
} as const

/** The seeded user with this number. */
export const username = (number: number): string => `user${String(number).padStart(5, '0')}`
export const email = (name: string): string => `${name}@example.com`

/** How many users are read in turn, one after another. */
export const usersInTurn = 100

/** How many rows an answer has, how many it says there are in all, and its text. */
interface Answer {
  rows: number
  total: number
  text: string
}

/** In whatever shape the contenders have for it. */
const answerOf = (json: any): Answer => {
  const body = json?.data ?? json
  const rows: unknown[] = [body, ...Object.values(body ?? {})].find((one) => Array.isArray(one)) ?? []
  const text = JSON.stringify(json)
  const [, total] = /"(?:total|filter_count|count)":"?(\d+)/.exec(text) ?? []
  return { rows: rows.length, total: Number(total), text }
}

const pageRows = 20
const isAnything = () => true
const hasUser = ({ text }: Answer) => text.includes('@example.com')

/** What is compared, and whether an answer is one from what was seeded. */
export const operations = [
  { name: 'ping', title: 'ping', hashes: false, isExpected: isAnything },
  { name: 'profile', title: 'own profile', hashes: false, isExpected: hasUser },
  {
    name: 'unread',
    title: 'unread count',
    hashes: false,
    isExpected: ({ total }: Answer) => total === seed.unread,
  },
  { name: 'user', title: 'read one user', hashes: false, isExpected: hasUser },
  {
    name: 'users',
    title: 'user page, searched',
    hashes: false,
    isExpected: ({ rows, total }: Answer) => rows === pageRows && total === seed.found,
  },
  {
    name: 'roles',
    title: 'roles with permissions',
    hashes: false,
    // Besides the seeded ones at most three.
    isExpected: ({ rows }: Answer) => rows >= seed.roles && rows <= seed.roles + 3,
  },
  {
    name: 'audit',
    title: 'audit page',
    hashes: false,
    isExpected: ({ rows, total }: Answer) => rows === pageRows && total >= seed.auditRecords,
  },
  { name: 'setting', title: 'update a setting', hashes: false, isExpected: isAnything },
  {
    name: 'refresh',
    title: 'refresh',
    hashes: false,
    isExpected: ({ text }: Answer) => text.includes('"refresh_token":"'),
  },
  { name: 'login', title: 'login', hashes: true, isExpected: isAnything },
  { name: 'create', title: 'create a user', hashes: true, isExpected: isAnything },
] as const

export type Operation = (typeof operations)[number]
export type OperationName = Operation['name']

/** Throws unless an answer, as JSON, is one from what was seeded: contenders are compared on the same. */
export const expectAnswer = ({ isExpected }: Operation, json: unknown): void => {
  const answer = answerOf(json)
  if (isExpected(answer)) return
  const { rows, total, text } = answer
  throw new Error(`${rows} rows of ${total} are not what was seeded: ${text.slice(0, 200)}`)
}

export const titleOf = (operation: OperationName): string =>
  operations.find(({ name }) => name === operation)?.title ?? operation

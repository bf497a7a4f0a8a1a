/** The data that every contender is seeded with, as far as it has such data. */
export const seed = {
  users: 10_000,
  auditRecords: 10_000,
  /** Besides the roles that a contender has itself; each with so many permissions. */
  roles: 10,
  permissionsOfRole: 8,
  notifications: 200,
  unread: 100,
  settings: 20,
  keyword: 'er012',
  /** The number of users that the keyword finds. */
  found: 100,
  password: 'a bench of Tenantry',
} as const

/** The name of the seeded user with this number. */
export const username = (number: number): string => `user${String(number).padStart(5, '0')}`
export const email = (name: string): string => `${name}@example.com`

/** The number of users that the reads address in turn. */
export const usersInTurn = 100

/** Each user loses the role 128 requests after getting it: twice the connections, so that no request overtakes its opposite. */
export const usersAssigned = 128

/** The rows of an answer, its total, and its text. */
interface Answer {
  rows: number
  total: number
  text: string
}

/** Reads an answer in the format of any contender. */
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

/** The compared operations; `isExpected` compares an answer with the seeded data. */
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
    // A contender has at most three roles of its own.
    isExpected: ({ rows }: Answer) => rows >= seed.roles && rows <= seed.roles + 3,
  },
  {
    name: 'audit',
    title: 'audit page',
    hashes: false,
    isExpected: ({ rows, total }: Answer) => rows === pageRows && total >= seed.auditRecords,
  },
  { name: 'setting', title: 'update one setting', hashes: false, isExpected: isAnything },
  { name: 'settings', title: 'update 20 settings', hashes: false, isExpected: isAnything },
  { name: 'assign', title: 'assign a role', hashes: false, isExpected: isAnything },
  {
    name: 'refresh',
    title: 'refresh',
    hashes: false,
    isExpected: ({ text }: Answer) => text.includes('"refresh_token":"'),
  },
  { name: 'login', title: 'login', hashes: true, isExpected: isAnything },
  { name: 'create', title: 'create a user', hashes: true, isExpected: isAnything },
  { name: 'create-4', title: 'create a user, hash cost 4', hashes: false, isExpected: isAnything },
] as const

export type Operation = (typeof operations)[number]
export type OperationName = Operation['name']

/** Throws unless an answer, as JSON, shows the seeded data: all contenders have to do the same work. */
export const expectAnswer = ({ isExpected }: Operation, json: unknown): void => {
  const answer = answerOf(json)
  if (isExpected(answer)) return
  const { rows, total, text } = answer
  throw new Error(
    `the answer has ${rows} rows and the total ${total}, unlike the seeded data: ${text.slice(0, 200)}`,
  )
}

export const titleOf = (operation: OperationName): string =>
  operations.find(({ name }) => name === operation)?.title ?? operation

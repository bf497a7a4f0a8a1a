/** The data and the question that all contenders share: does this user hold this permission? */
import { seed, username, usersInTurn } from '../operations.ts'

/** Beside the 10,000 users of the other operations. */
const sizes = { roles: 50, permissions: 200, permissionsOfRole: 20 } as const

const range = (count: number): number[] => Array.from({ length: count }, (_none, number) => number)
const padded = (number: number): string => String(number).padStart(2, '0')

/** The permissions of the product. */
export const codes = range(sizes.permissions).map((n) => `area${padded(Math.floor(n / 10))}:act${n % 10}`)

/** The codes of each role; neighbours overlap. */
export const codesOfRoles = range(sizes.roles).map((role) =>
  range(sizes.permissionsOfRole).map((n) => codes[(role * 4 + n) % codes.length] ?? ''),
)

/** The numbers of the roles of each user. */
export const rolesOfUsers = range(seed.users).map((user) => [
  user % sizes.roles,
  (user + 1 + (user % (sizes.roles - 1))) % sizes.roles,
])

export interface Question {
  /** The number of the user. */
  user: number
  permission: string
  isAllowed: boolean
}

/** Asks about a permission that the user holds by the second role, and about one that the user lacks. */
const questionsAbout = (user: number): Question[] => {
  const held = (rolesOfUsers[user] ?? []).map((role) => codesOfRoles[role] ?? [])
  const [granted, lacking] = [held.at(-1)?.[0], codes.find((code) => !held.flat().includes(code))]
  if (granted === undefined || lacking === undefined) throw new Error(`user ${user} has no such permissions`)
  return [
    { user, permission: granted, isAllowed: true },
    { user, permission: lacking, isAllowed: false },
  ]
}

/** The user who asks about themselves. */
export const asker = 1
export const ownQuestions = questionsAbout(asker)
export const questions = range(usersInTurn).flatMap(questionsAbout)

const roleName = (role: number): string => `Role ${padded(role)}`

/** The same data by names, for the peers. */
export const named = () => ({
  roles: Object.fromEntries(codesOfRoles.map((list, role) => [roleName(role), list])),
  users: Object.fromEntries(rolesOfUsers.map((roles, user) => [username(user), roles.map(roleName)])),
})

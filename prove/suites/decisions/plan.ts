import fc from 'fast-check'
import type { Change } from '../../changes.ts'

/** A number chooses among the objects of the world, however many there are at that moment. */
const choice = fc.nat({ max: 999_999 })

/** Assignments come twice as often: deleted roles take the old ones along. */
const kinds: Change['kind'][] = [
  'replace_permissions',
  'assign_role',
  'assign_role',
  'unassign_role',
  'delete_role',
  'set_user_status',
]

const change = fc.record({
  kind: fc.constantFrom(...kinds),
  user: choice,
  role: choice,
  permissions: fc.array(choice, { maxLength: 5 }),
  status: fc.constantFrom<0 | 1>(0, 1, 1),
})

const combination = fc.record({
  /** A change of the platform before the questions; most combinations have none. */
  event: fc.constantFrom(
    'template',
    'disable',
    'enable',
    'enable',
    'enable',
    ...Array<'none'>(14).fill('none'),
  ),
  tenant: choice,
  user: choice,
  permission: choice,
  permissions: fc.array(choice, { minLength: 1, maxLength: 4 }),
  asker: choice,
  caller: choice,
  changes: fc.array(change, { minLength: 1, maxLength: 3 }),
})

type Generated<T> = T extends fc.Arbitrary<infer Value> ? Value : never
export type PlannedChange = Generated<typeof change>
export type Combination = Generated<typeof combination>

/** Without bias: numbers near 0 would choose the same few objects. */
export const planOf = (seed: number, count: number): Combination[] =>
  fc.sample(fc.noBias(combination), { seed, numRuns: count })

/** The member of a list that a number chooses. */
export const chosen = <T>(list: readonly T[], number: number): T => {
  const one = list[number % list.length]
  if (one === undefined) throw new Error('nothing to choose from')
  return one
}

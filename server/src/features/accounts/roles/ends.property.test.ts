/** Random sequences of gifts with ends, against a model that has no database. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newTenant, type Caller } from '../../../../test/factories.ts'

const hourMs = 3_600_000
const never = Infinity

/** The ends of gifts; `never` is a gift without an end. */
const ends = [2, 4, 6].map((hours) => Date.now() + hours * hourMs).concat(never)
const codesOfRoles = [['user:read'], ['audit:read'], ['user:read', 'audit:read']] as const

interface Step {
  kind: 'assign' | 'change'
  /** The giver: 0 is the administrator, who holds all without an end. */
  by: number
  to: number
  role: number
  end: number
}

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom('assign', 'change'),
    by: fc.nat(2),
    to: fc.integer({ min: 1, max: 2 }),
    role: fc.nat(2),
    end: fc.constantFrom(...ends),
  }),
  { minLength: 8, maxLength: 20 },
)

/** The ends of the roles of each user. */
type Model = Map<number, number>[]

/** Until when a user holds a code: the latest end of the roles that carry it; -Infinity without such a role. */
const heldUntil = (model: Model, user: number, code: string): number =>
  user === 0
    ? never
    : Math.max(
        -Infinity,
        ...[...(model[user] ?? [])].flatMap(([role, end]) =>
          (codesOfRoles[role] as readonly string[]).includes(code) ? end : [],
        ),
      )

const codesOf = (model: Model, user: number): string[] => [
  ...new Set([...(model[user]?.keys() ?? [])].flatMap((role) => [...(codesOfRoles[role] ?? [])])),
]

const mayGive = (model: Model, { by, role, end }: Step): boolean =>
  (codesOfRoles[role] ?? []).every((code) => heldUntil(model, by, code) >= end)

const statusOfAssign = (model: Model, step: Step): number => {
  if (!mayGive(model, step)) return 403
  return model[step.to]?.has(step.role) ? 409 : 200
}

const statusOfChange = (model: Model, step: Step): number => {
  const { by, to, role, end } = step
  const before = model[to]?.get(role)
  const outranks = codesOf(model, to).some((code) => heldUntil(model, by, code) === -Infinity)
  if (by !== to && outranks) return 403
  if (before === undefined) return 404
  return end > before && !mayGive(model, step) ? 403 : 200
}

/** Applies a step to the model; returns the status that the service must answer. */
const apply = (model: Model, step: Step): number => {
  const status = step.kind === 'assign' ? statusOfAssign(model, step) : statusOfChange(model, step)
  if (status === 200) model[step.to]?.set(step.role, step.end)
  return status
}

const expiryOf = (end: number) => (end === never ? undefined : new Date(end).toISOString())

test('no sequence of gifts gives anybody a permission that its giver lacks, or for longer', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const tenant = await newTenant()
      const givers = ['role:assign', 'role:read', 'dashboard:read'] as const
      const users: Caller[] = [
        tenant.admin,
        await tenant.userWith(...givers),
        await tenant.userWith(...givers),
      ]
      const roles = await Promise.all(codesOfRoles.map((codes) => tenant.role(...codes)))
      const model: Model = [new Map(), new Map(), new Map()]
      for (const step of sequence) {
        const [giver, target, role] = [users[step.by], users[step.to], roles[step.role]]
        if (!giver || !target || !role) throw new Error('a step names nobody')
        const path = `/rbac/users/${target.userId}/roles`
        const expires_at = expiryOf(step.end)
        const { status } =
          step.kind === 'assign'
            ? await giver.post(path, { role_id: role.id, expires_at })
            : await giver.put(`${path}/${role.id}`, { expires_at: expires_at ?? null })
        expect([step, status]).toEqual([step, apply(model, step)])
      }
    }),
    { numRuns: 12 },
  )
})

import { refuteNothing } from '../../attack.ts'
import { ok } from '../../../lab/client.ts'
import { seedOf } from '../../seed.ts'
import type { Prove, Suite } from '../../suite.ts'
import type { Target } from '../../target.ts'
import { chosen, planOf, type Combination } from './plan.ts'
import { provePreview } from './previews.ts'
import { proveQuestions } from './questions.ts'
import { openWorld, readState, repair, type State, type Tenant, type World } from './world.ts'

const fullCount = 2000
const shortCount = 200

/** Counts by name. */
class Tally extends Map<string, number> {
  add(name: string): void {
    this.set(name, (this.get(name) ?? 0) + 1)
  }

  get text(): string {
    return [...this]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, times]) => `${name} ${times}×`)
      .join(', ')
  }
}

/** A walk through all combinations, with its breaches and the cases that it met. */
interface Walk {
  world: World
  seed: number
  combinations: Combination[]
  /** States that nothing has changed since they were read. */
  known: Map<Tenant, State>
  questions: string[]
  previews: string[]
  reasons: Tally
  kinds: Tally
  refusals: Tally
  affected: number
  done: number
}

/** A change of the platform: a template gets other permissions, or a tenant another status. */
const happen = async ({ world, known }: Walk, tenant: Tenant, combination: Combination): Promise<void> => {
  const { root, templates, codes } = world
  if (combination.event === 'template') {
    const ids = [...codes.values()]
    const permission_ids = [...new Set(combination.permissions.map((number) => chosen(ids, number)))]
    const path = `/rbac/role-templates/${chosen(templates, combination.permission)}`
    ok(await root.call('PUT', path, { permission_ids }))
    known.clear()
  }
  if (combination.event === 'disable' || combination.event === 'enable') {
    tenant.isEnabled = combination.event === 'enable'
    ok(await root.call('PUT', `/org/tenants/${tenant.id}`, { status: tenant.isEnabled ? 1 : 0 }))
    known.delete(tenant)
  }
}

const step = async (walk: Walk, combination: Combination, at: number): Promise<void> => {
  const { world, known, questions, previews, reasons, kinds, refusals } = walk
  const tenant = chosen(world.tenants, combination.tenant)
  await happen(walk, tenant, combination)
  const state = await repair(world, tenant, known.get(tenant) ?? (await readState(world, tenant)))
  const asked = await proveQuestions(world, tenant, state, combination)
  questions.push(...asked.breaches.map((breach) => `combination ${at}: ${breach}`))
  reasons.add(asked.reason)
  const compared = await provePreview(world, tenant, state, combination)
  previews.push(...compared.breaches.map((breach) => `combination ${at}: ${breach}`))
  for (const kind of compared.kinds) kinds.add(kind)
  if (compared.refused !== undefined) refusals.add(String(compared.refused))
  walk.affected += compared.affected
  walk.done += 1
  known.set(tenant, compared.after)
}

const shown = ({ seed, combinations }: Walk): string => {
  const form = combinations.length < fullCount ? ` (the full form has ${fullCount})` : ''
  return `seed ${seed}: ${combinations.length} combinations of user, permission and roles${form}`
}

/** Throws when the combinations lacked a case: they would prove too little. */
const requireCases = (met: Tally, wanted: number, what: string): void => {
  if (met.size < wanted) throw new Error(`the combinations met only these ${what}: ${met.text}`)
}

const refute = (breaches: string[], seed: number): void => {
  if (breaches.length > 0) refuteNothing([`PROVE_SEED=${seed}`, ...breaches])
}

const walkAll = async (walk: Walk): Promise<string> => {
  for (const [at, combination] of walk.combinations.entries()) await step(walk, combination, at)
  refute(walk.questions, walk.seed)
  requireCases(walk.reasons, 4, 'reasons')
  return `${shown(walk)}; ${walk.reasons.text}`
}

const proveOutcomes = async ({ previews, kinds, refusals, affected, ...walk }: Walk): Promise<string> => {
  refute(previews, walk.seed)
  if (walk.done < walk.combinations.length) throw new Error(`only ${walk.done} combinations were tried`)
  requireCases(kinds, 5, 'kinds of change')
  requireCases(refusals, 5, 'refusals')
  return `made ${kinds.text}; ${affected} users gained or lost something; refused alike ${refusals.text}; before each, no record and no other permission`
}

const prove = async (target: Target, record: Prove): Promise<void> => {
  const seed = seedOf()
  const world = await openWorld(target)
  const walk: Walk = {
    world,
    seed,
    combinations: planOf(seed, target.short ? shortCount : fullCount),
    known: new Map(),
    questions: [],
    previews: [],
    reasons: new Tally(),
    kinds: new Tally(),
    refusals: new Tally(),
    affected: 0,
    done: 0,
  }
  try {
    await record('check, explain and the list of permissions say what the own token of the user opens', () =>
      walkAll(walk),
    )
    await record('a preview says what its changes then do, and changes nothing itself', () =>
      proveOutcomes(walk),
    )
  } finally {
    await world.remove()
  }
}

/** It changes the catalogue of the whole installation, so it does not run against a running service. */
export const decisions: Suite = { name: 'decisions', kinds: ['embedded', 'services'], prove }

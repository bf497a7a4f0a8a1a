/** casbin with its PostgreSQL adapter: it reads all rules into the memory of the process, and decides there. */
import { newCachedEnforcer, newEnforcer, newModelFromString } from 'casbin'
import pgAdapter from 'casbin-pg-adapter'
import fastify from 'fastify'
import { serveDecisions, type Data } from '../decisions.mts'

/** The cheaper comparison comes first, as casbin's page on performance recommends. */
const model = `
[request_definition]
r = sub, obj
[policy_definition]
p = sub, obj
[role_definition]
g = _, _
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.obj == p.obj && g(r.sub, p.sub)
`

const adapter = await pgAdapter.default.newAdapter({ connectionString: process.env['DATABASE_URL'] })
adapter.enabledFiltered(false) // the adapter saves no rules otherwise
const plain = await newEnforcer(newModelFromString(model), adapter)
const cached = await newCachedEnforcer(newModelFromString(model), adapter)

const pairsOf = (lists: Record<string, string[]>): string[][] =>
  Object.entries(lists).flatMap(([one, others]) => others.map((other) => [one, other]))

const load = async ({ roles, users }: Data) => {
  plain.enableAutoSave(false)
  await plain.addPolicies(pairsOf(roles))
  await plain.addGroupingPolicies(pairsOf(users))
  await plain.savePolicy()
  for (const enforcer of [plain, cached]) await enforcer.loadPolicy()
}

await serveDecisions(fastify(), load, {
  plain: ({ user, permission }) => plain.enforce(user, permission),
  cached: ({ user, permission }) => cached.enforce(user, permission),
})

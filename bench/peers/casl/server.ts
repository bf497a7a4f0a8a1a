/** CASL: the permissions of a user become an ability, which decides in the process. */
import { createMongoAbility, type MongoAbility } from '@casl/ability'
import fastify from 'fastify'
import { serveDecisions, type Data } from '../decisions.mts'

let data: Data = { roles: {}, users: {} }
const abilities = new Map<string, MongoAbility>()

const splitCode = (code: string) => {
  const [subject = '', action = ''] = code.split(':')
  return { action, subject }
}

const abilityOf = (user: string): MongoAbility =>
  createMongoAbility((data.users[user] ?? []).flatMap((role) => (data.roles[role] ?? []).map(splitCode)))

const isAllowed = (ability: MongoAbility, permission: string): boolean => {
  const { action, subject } = splitCode(permission)
  return ability.can(action, subject)
}

const load = async (given: Data) => {
  data = given
  for (const user of Object.keys(data.users)) abilities.set(user, abilityOf(user))
}

await serveDecisions(fastify(), load, {
  built: ({ user, permission }) => isAllowed(abilityOf(user), permission),
  kept: ({ user, permission }) => isAllowed(abilities.get(user) ?? abilityOf(user), permission),
})

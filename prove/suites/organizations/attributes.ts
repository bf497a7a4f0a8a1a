/** Attributes of users: what a person and an administrator read and write of each. */
import { ok, unique, type Answer, type Session } from '../../../lab/client.ts'
import { refuteNothing } from '../../attack.ts'
import type { Prove } from '../../suite.ts'
import { newAddress, newPerson, type Stage } from '../people/stage.ts'

const levels = ['none', 'read', 'write'] as const
type Level = (typeof levels)[number]

interface Declared {
  key: string
  self: Level
  administrators: Level
  /** The value of the person. No other attribute or user has it. */
  value: string
}

/** One attribute for each pair of levels, with a value. */
const declareAll = async ({ root, home }: Stage, userId: number): Promise<Declared[]> => {
  const pairs = levels.flatMap((self) => levels.map((administrators) => ({ self, administrators })))
  const declared = pairs.map((levelsOf) => ({ key: unique('a'), value: unique('fact'), ...levelsOf }))
  for (const { key, self, administrators } of declared) {
    const schema = { type: 'string', maxLength: 64 }
    const body = { schema, self, administrators, indexed: true }
    ok(await root.call('PUT', `/attributes/user/${key}`, body))
  }
  const values = Object.fromEntries(declared.map(({ key, value }) => [key, value]))
  ok(await root.call('PATCH', `/users/${userId}/attributes`, values, { tenant: home.id }))
  return declared
}

type Door = [name: string, open: () => Promise<Answer>]

const doorsOfAdmin = (admin: Session, userId: number): Door[] => [
  ['the user', () => admin.call('GET', `/users/${userId}/attributes`)],
  ['the list', () => admin.call('GET', '/users?include=attributes&page_size=200')],
  ['the audit log', () => admin.call('GET', '/audit/logs?page_size=200')],
  ['the audit export', () => admin.call('GET', '/audit/export')],
]

const doorsOfPerson = (person: Session): Door[] => [
  ['the profile', () => person.call('GET', '/profile/attributes')],
  ['the declarations', () => person.call('GET', '/attributes')],
  ['the personal export', () => person.call('POST', '/auth/account/export', { password: person.password })],
]

/** Breaches of doors that name the key or the value of an attribute whose level is `none`. */
const reads = async (doors: Door[], declared: Declared[], levelOf: (one: Declared) => Level) => {
  const breaches: string[] = []
  const found = new Set<string>()
  for (const [name, open] of doors) {
    const answer = await open()
    ok({ ...answer, data: answer.data ?? {} })
    for (const one of declared) {
      const isThere = answer.text.includes(one.key) || answer.text.includes(one.value)
      if (isThere && levelOf(one) === 'none') breaches.push(`${name} tells of ${JSON.stringify(one)}`)
      if (answer.text.includes(one.value)) found.add(one.key)
    }
  }
  const lost = declared.filter((one) => levelOf(one) !== 'none' && !found.has(one.key))
  return [...breaches, ...lost.map((one) => `nothing tells of ${JSON.stringify(one)}`)]
}

const statusFor = { none: 400, read: 403, write: 200 } as const

const writes = async (
  declared: Declared[],
  levelOf: (one: Declared) => Level,
  write: (values: object) => Promise<Answer>,
): Promise<string[]> => {
  const breaches: string[] = []
  for (const one of declared) {
    const { status } = await write({ [one.key]: one.value })
    if (status !== statusFor[levelOf(one)]) {
      breaches.push(`a write of ${JSON.stringify(one)} answers ${status}`)
    }
  }
  return breaches
}

/** An import by the administrator stores what an administrator writes. */
const imports = async (admin: Session, declared: Declared[]): Promise<string[]> => {
  const rows = declared.map(({ key }) => ({ email: newAddress(), attributes: { [key]: 'imported' } }))
  const { results } = ok(await admin.call('POST', '/users/import', { rows }))
  return declared.flatMap((one, at) =>
    (results[at].status === 'created') === (one.administrators === 'write')
      ? []
      : [`an import of ${JSON.stringify(one)} is ${results[at].status}`],
  )
}

/** A filter answers only for attributes that the caller may read. */
const filters = async (admin: Session, declared: Declared[]): Promise<string[]> => {
  const breaches: string[] = []
  for (const one of declared) {
    const { status } = await admin.call('GET', `/users?attribute.${one.key}=${one.value}`)
    if (status !== (one.administrators === 'none' ? 400 : 200)) {
      breaches.push(`a filter by ${JSON.stringify(one)} answers ${status}`)
    }
  }
  return breaches
}

const bounds = async (stage: Stage): Promise<string> => {
  const { admin } = stage.home
  const person = await newPerson(stage)
  const declared = await declareAll(stage, person.userId)
  const ofAdmin = ({ administrators }: Declared) => administrators
  const ofPerson = ({ self }: Declared) => self
  const to = `/users/${person.userId}/attributes`
  refuteNothing([
    ...(await reads(doorsOfAdmin(admin, person.userId), declared, ofAdmin)),
    ...(await reads(doorsOfPerson(person), declared, ofPerson)),
    ...(await writes(declared, ofAdmin, (values) => admin.call('PATCH', to, values))),
    ...(await writes(declared, ofPerson, (values) => person.call('PATCH', '/profile/attributes', values))),
    ...(await imports(admin, declared)),
    ...(await filters(admin, declared)),
  ])
  return `${declared.length} attributes, by the doors of an administrator and of the person`
}

export const proveAttributes = async (stage: Stage, record: Prove): Promise<void> => {
  await record('nobody reads or writes an attribute beyond its declaration', () => bounds(stage))
}

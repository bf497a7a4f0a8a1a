/** Usernames of rows: given ones, and ones made from addresses. */
import { randomInt } from 'node:crypto'
import type { AuthorityCtx } from '../../../access/authority.ts'
import type { CallerlessCtx } from '../../../context.ts'
import { fold } from '../../../values/text.ts'
import { selectTakenNames } from './imports.store.ts'
import type { Sheet } from './sheet.ts'

const lengthMin = 3
const lengthMax = 64
/** The maximum leaves room for a number. */
const baseMax = lengthMax - 10

/** The local part of an address as a username. If that is too short, the whole address. */
const nameOf = (email: string): string => {
  const allowed = (text: string) => text.replaceAll(/[^A-Za-z0-9._@+-]/g, '').slice(0, baseMax)
  const local = allowed(email.slice(0, email.lastIndexOf('@')))
  const name = local.length < lengthMin ? allowed(email) : local
  return name.length < lengthMin ? `user${name}` : name
}

const numberMax = 1_000_000_000
const triesAtRandom = 5

/**
 * Names to try when `name` is taken, in this order: first with small numbers, then with large random numbers. One of
 * those is free, even among many equal names.
 */
const numbered = (name: string): string[] => {
  const numbers = [2, 3, 4, 5, 6, 7, 8, 9]
  for (let tries = 0; tries < triesAtRandom; tries += 1) numbers.push(randomInt(10, numberMax))
  return numbers.map((number) => `${name}${number}`)
}

/** The folded names that the tenant has taken. */
const takenAmong = async ({ db, tenantId }: CallerlessCtx, names: string[]): Promise<Set<string>> => {
  const taken = names.length === 0 ? [] : await selectTakenNames(db, tenantId, names.map(fold))
  return new Set(taken.map(({ username_folded: name }) => name))
}

/** A free username for an address or another name. Another transaction can take the last candidate meanwhile. */
export const freeUsername = async (ctx: CallerlessCtx, text: string): Promise<string> => {
  const name = nameOf(text.includes('@') ? text : `${text}@`)
  for (const candidates of [[name], numbered(name)]) {
    const taken = await takenAmong(ctx, candidates)
    const free = candidates.find((one) => !taken.has(fold(one)))
    if (free !== undefined) return free
  }
  return `${name}${randomInt(10, numberMax)}`
}

/** Takes the first of `names` that is free. Undefined when none is. */
const take = (taken: Set<string>, names: string[]): string | undefined => {
  const free = names.find((name) => !taken.has(fold(name)))
  if (free !== undefined) taken.add(fold(free))
  return free
}

/** The usernames by row index. A row with a taken name has none. Given names are assigned before made names. */
export const assignNames = async (ctx: AuthorityCtx, { wanted }: Sheet): Promise<Map<number, string>> => {
  const rows = wanted
    .map(({ index, row: { username, email } }) => ({
      index,
      isGiven: username !== undefined,
      name: username ?? nameOf(email),
    }))
    .toSorted((a, b) => Number(b.isGiven) - Number(a.isGiven))
  const taken = await takenAmong(
    ctx,
    rows.map(({ name }) => name),
  )
  const seen = new Set(taken)
  const crowded = rows.filter(({ name, isGiven }) => take(seen, [name]) === undefined && !isGiven)
  const others = new Map(crowded.map(({ index, name }) => [index, numbered(name)]))
  for (const name of await takenAmong(ctx, [...others.values()].flat())) taken.add(name)
  const assigned = new Map<number, string>()
  for (const { index, name, isGiven } of rows) {
    const more = () => take(taken, others.get(index) ?? numbered(name))
    const free = take(taken, [name]) ?? (isGiven ? undefined : more())
    if (free !== undefined) assigned.set(index, free)
  }
  return assigned
}

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
 * Names to try, in this order: first with small numbers, then with large random numbers. One of those is free, even
 * among many equal names.
 */
const candidatesOf = (email: string): string[] => {
  const base = nameOf(email)
  const numbers = [2, 3, 4, 5, 6, 7, 8, 9]
  for (let tries = 0; tries < triesAtRandom; tries += 1) numbers.push(randomInt(10, numberMax))
  return [base, ...numbers.map((number) => `${base}${number}`)]
}

/** A free username for an address or another name. Another transaction can take the last candidate meanwhile. */
export const freeUsername = async ({ db, tenantId }: CallerlessCtx, name: string): Promise<string> => {
  const address = name.includes('@') ? name : `${name}@`
  const [base = '', ...numbered] = candidatesOf(address)
  for (const candidates of [[base], numbered]) {
    const rows = await selectTakenNames(db, tenantId, candidates.map(fold))
    const taken = new Set(rows.map(({ username_folded: one }) => one))
    const free = candidates.find((one) => !taken.has(fold(one)))
    if (free !== undefined) return free
  }
  return `${base}${randomInt(10, numberMax)}`
}

/** Usernames that the tenant or earlier rows have taken. */
const createNames = (taken: string[]) => {
  const known = new Set(taken)
  return {
    /** Takes the first free name. Undefined when none is free. */
    take: (names: string[]): string | undefined => {
      const free = names.find((name) => !known.has(fold(name)))
      if (free !== undefined) known.add(fold(free))
      return free
    },
  }
}

/** The usernames by row index. A row with a taken name has none. Given names are assigned before made names. */
export const assignNames = async (
  { db, tenantId }: AuthorityCtx,
  { wanted }: Sheet,
): Promise<Map<number, string>> => {
  const options = wanted.map(({ index, row }) => ({
    index,
    isGiven: row.username !== undefined,
    names: row.username === undefined ? candidatesOf(row.email) : [row.username],
  }))
  const firsts = options.map(({ names: [first = ''] }) => fold(first))
  const taken = new Set(
    (await selectTakenNames(db, tenantId, firsts)).map(({ username_folded: name }) => name),
  )
  const counts = new Map<string, number>()
  for (const name of firsts) counts.set(name, (counts.get(name) ?? 0) + 1)
  const crowded = options.filter(({ isGiven, names: [first = ''] }) => {
    const name = fold(first)
    return !isGiven && (taken.has(name) || (counts.get(name) ?? 0) > 1)
  })
  const more = crowded.flatMap(({ names }) => names.slice(1).map(fold))
  const takenMore = more.length === 0 ? [] : await selectTakenNames(db, tenantId, more)
  const names = createNames([...taken, ...takenMore.map(({ username_folded: name }) => name)])
  const assigned = new Map<number, string>()
  for (const { index, names: candidates } of options.toSorted(
    (a, b) => Number(b.isGiven) - Number(a.isGiven),
  )) {
    const name = names.take(candidates)
    if (name !== undefined) assigned.set(index, name)
  }
  return assigned
}

/** Patterns of declared schemas: RE2 takes time linear in the text, whatever the pattern is. */
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

export const patternLengthMax = 256
/** Repetitions such as `{1000}` are copies in the program. Each character of a text can meet every instruction. */
export const programSizeMax = 2000
const repetitionsMax = 1000

const compiled = new LRUCache<string, RE2JS>({ max: 2000 })

const repetitionsIn = (pattern: string): number =>
  [...pattern.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g)].reduce(
    (sum, [, least = '0', most]) => sum + Math.max(Number(least), Number(most ?? 0)),
    0,
  )

/** The compiled pattern. Throws for one that RE2 does not know, such as one with a look-around. */
const compile = (pattern: string): RE2JS => {
  const known = compiled.get(pattern)
  if (known) return known
  const made = RE2JS.compile(pattern)
  compiled.set(pattern, made)
  return made
}

/** The size of a pattern's program, or its fault as a text. */
export const programOf = (pattern: string): number | string => {
  if (repetitionsIn(pattern) > repetitionsMax) return `must repeat at most ${repetitionsMax} times in all`
  try {
    const size = compile(pattern).programSize()
    return size > programSizeMax ? 'is too large: repeat less' : size
  } catch {
    return 'must be a pattern of RE2, without back references and look-around'
  }
}

/** Tests whether a pattern occurs in a text, as JSON Schema means it. */
export const occursIn = (pattern: string, text: string): boolean => compile(pattern).test(text)

/** Instructions and characters of one step. With it 200,000 steps take less than a second. */
const workOfStep = 64
const constantWork = 60

/** The steps of a test: the same on every machine. */
export const stepsOf = (pattern: string, text: string): number =>
  Math.ceil((text.length * (compile(pattern).programSize() + constantWork)) / workOfStep)

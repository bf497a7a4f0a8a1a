/** Patterns of declared schemas. RE2 matches every pattern in time linear in the length of the text. */
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

export const patternLengthMax = 256
/**
 * The most instructions of a pattern. A repetition such as `{1000}` copies its part of the program, and each character
 * of a text can run every instruction.
 */
export const programSizeMax = 2000
const repetitionsMax = 1000

const compiled = new LRUCache<string, RE2JS>({ max: 2000 })

const repetitionsIn = (pattern: string): number =>
  [...pattern.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g)].reduce(
    (sum, [, least = '0', most]) => sum + Math.max(Number(least), Number(most ?? 0)),
    0,
  )

/** Throws for a pattern that RE2 does not support, such as one with a look-around. */
const compile = (pattern: string): RE2JS => {
  const known = compiled.get(pattern)
  if (known) return known
  const made = RE2JS.compile(pattern)
  compiled.set(pattern, made)
  return made
}

/** The assumed cost of a class such as `\p{L}`, in instructions: the class lists hundreds of ranges. */
const classSize = 200

const classesIn = (pattern: string): number => pattern.match(/\\p/gi)?.length ?? 0

/** If case is ignored, RE2 visits each character of a range. Beyond ASCII that takes milliseconds. */
const isFolded = (pattern: string): boolean =>
  /\(\?[a-z-]*i/i.test(pattern) && /\[[^\]]*-(?:\\x\{|[^\0-\x7f])/.test(pattern)

/** The size of a pattern's program with its classes. For an invalid pattern, the message of its fault. */
export const programOf = (pattern: string): number | string => {
  if (repetitionsIn(pattern) > repetitionsMax) return `must repeat at most ${repetitionsMax} times in all`
  if (isFolded(pattern)) return 'must not ignore the case of a range beyond ASCII'
  const classes = classesIn(pattern) * classSize
  try {
    const size = classes > programSizeMax ? classes : classes + compile(pattern).programSize()
    return size > programSizeMax ? 'is too large: repeat less' : size
  } catch {
    return 'must be a pattern of RE2, without back references and look-around'
  }
}

/** True if the pattern matches anywhere in the text, as JSON Schema requires. */
export const occursIn = (pattern: string, text: string): boolean => compile(pattern).test(text)

/** The instructions that RE2 runs for one character, in the time of one step. */
const instructionsOfStep = 3
/** The fixed cost of each character, in instructions. */
const constantWork = 8

/** The steps of a match, the same on every machine. */
export const stepsOf = (pattern: string, text: string): number =>
  Math.ceil((text.length * (compile(pattern).programSize() + constantWork)) / instructionsOfStep)

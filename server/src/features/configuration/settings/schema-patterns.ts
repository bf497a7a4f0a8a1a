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

/** A class such as `\p{L}` lists hundreds of ranges, and takes as long to compile as so many instructions. */
const classSize = 200

const classesIn = (pattern: string): number => pattern.match(/\\p/gi)?.length ?? 0

/** RE2 looks at each character of a range whose case is ignored: beyond ASCII that takes milliseconds. */
const isFolded = (pattern: string): boolean =>
  /\(\?[a-z-]*i/i.test(pattern) && /\[[^\]]*-(?:\\x\{|[^\0-\x7f])/.test(pattern)

/** The size of a pattern's program and of its classes, or its fault as a text. */
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

/** Tests whether a pattern occurs in a text, as JSON Schema means it. */
export const occursIn = (pattern: string, text: string): boolean => compile(pattern).test(text)

/** Each character of a text can meet every instruction, and so many in the time of a step. */
const instructionsOfStep = 3
/** The work of a character besides, in instructions. */
const constantWork = 8

/** The steps of a test: the same on every machine. */
export const stepsOf = (pattern: string, text: string): number =>
  Math.ceil((text.length * (compile(pattern).programSize() + constantWork)) / instructionsOfStep)

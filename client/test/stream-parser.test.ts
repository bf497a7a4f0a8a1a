/** The parser of Server-Sent Events, beside another program's. */
import { createParser as createOther } from 'eventsource-parser'
import { describe, expect, test } from 'vitest'
import { createParser, type ParsedEvent } from '../src/stream/parser.ts'

interface Parsed {
  events: ParsedEvent[]
  ids: string[]
  retries: number[]
}

const parse = (chunks: Uint8Array[]): Parsed => {
  const parsed: Parsed = { events: [], ids: [], retries: [] }
  const push = createParser({
    onEvent: (event) => parsed.events.push(event),
    onId: (id) => parsed.ids.push(id),
    onRetry: (ms) => parsed.retries.push(ms),
  })
  const decoder = new TextDecoder()
  for (const chunk of chunks) push(decoder.decode(chunk, { stream: true }))
  return parsed
}

const parseByOther = (text: string): Omit<Parsed, 'ids'> => {
  const parsed: Omit<Parsed, 'ids'> = { events: [], retries: [] }
  const other = createOther({
    onEvent: ({ event = '', data, id }) => parsed.events.push({ event, data, id }),
    onRetry: (ms) => parsed.retries.push(ms),
  })
  // Without the byte order mark.
  other.feed(new TextDecoder().decode(new TextEncoder().encode(text)))
  return parsed
}

/** Repeatable: a failure names its seed. */
const randomFrom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Random = ReturnType<typeof randomFrom>
const oneOf = <T>(random: Random, values: readonly T[]): T => values[random(values.length)] as T

const names = ['data', 'event', 'id', 'retry', '', 'Data', 'other', 'data ', 'constructor', '\uFEFFdata']
const values = [
  '',
  ' ',
  'x',
  '  y',
  '7',
  '12.3',
  '-1',
  'a:b',
  ': c',
  '{"a":"ä€😀"}',
  'nul\0l',
  '中文',
  'data',
]
const separators = [':', ': ', '', ' : ']
const lineEnds = ['\n', '\r', '\r\n']

const lineOf = (random: Random): string =>
  random(4) === 0 ? '' : `${oneOf(random, names)}${oneOf(random, separators)}${oneOf(random, values)}`

const textOf = (random: Random): string => {
  const lines = Array.from({ length: 1 + random(40) }, () => lineOf(random) + oneOf(random, lineEnds))
  // The other parser waits for the character after a last CR.
  return `${lines.join('')}:\n\n`
}

const cut = (bytes: Uint8Array, random: Random): Uint8Array[] => {
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.length;) {
    const length = random(3) === 0 ? 1 : random(30)
    chunks.push(bytes.subarray(at, at + length))
    at += length
  }
  return chunks
}

describe('the parser of streams', () => {
  test('finds the events and pauses that another parser finds, wherever the bytes are cut', () => {
    let found = 0
    for (let seed = 1; seed <= 2000; seed += 1) {
      const random = randomFrom(seed)
      const text = textOf(random)
      const { ids, ...parsed } = parse(cut(new TextEncoder().encode(text), random))
      expect(parsed.events.flatMap(({ id }) => id ?? []).filter((id) => !ids.includes(id))).toEqual([])
      expect({ seed, text, ...parsed }).toEqual({ seed, text, ...parseByOther(text) })
      found += parsed.events.length
    }
    expect(found).toBeGreaterThan(1000)
  })

  test('takes the two characters of one line end from two chunks for one', () => {
    const chunks = ['data: a\r', '\ndata: b\r', '', '\n\r', '\n', 'data: c\r\r'].map((text) =>
      new TextEncoder().encode(text),
    )
    expect(parse(chunks).events.map(({ data }) => data)).toEqual(['a\nb', 'c'])
  })

  test.each([
    ['id: 7\n\n', ['7']],
    ['id: 7\nevent: x\n\ndata: a\n\n', ['7']],
    ['id: 7\n\nid: 8\ndata: a\n\nid\n\n', ['7', '8', '']],
    ['id: 7\n', []],
    ['id: a\0b\n\n', []],
  ])('takes the ids of %j, with data and without, as the standard does', (text, ids) => {
    expect(parse([new TextEncoder().encode(text)]).ids).toEqual(ids)
  })

  test('skips a byte order mark', () => {
    expect(parse([new TextEncoder().encode('\uFEFFdata: a\n\n')]).events).toMatchObject([{ data: 'a' }])
  })

  test.each(['x', 'data: x\n'])('refuses an event of endless %j', (text) => {
    const push = createParser({ onEvent: () => undefined, onId: () => undefined, onRetry: () => undefined })
    const part = text.repeat(1000)
    expect(() => {
      for (let count = 0; count < 2000; count += 1) push(part)
    }).toThrow(RangeError)
  })
})

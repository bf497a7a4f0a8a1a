/** SHA-256 (FIPS 180-4): a page on plain HTTP has no `crypto.subtle`. */

const primes = Array.from({ length: 312 }, (_, at) => at).filter(
  (one) => one > 1 && !Array.from({ length: one - 2 }, (_, at) => at + 2).some((by) => one % by === 0),
)

/** The first 32 bits of the fraction. */
const fractionOf = (number: number): number => Math.trunc((number - Math.trunc(number)) * 2 ** 32)

const constants = Uint32Array.from(primes, (prime) => fractionOf(Math.cbrt(prime)))
const start = Uint32Array.from(primes.slice(0, 8), (prime) => fractionOf(Math.sqrt(prime)))

const at = (words: Uint32Array, index: number): number => words[index] ?? 0
const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by))
const spread = (word: number, [one, two, three]: [number, number, number]): number =>
  turned(word, one) ^ turned(word, two) ^ turned(word, three)

/** The text with its padding: whole blocks of 64 bytes. */
const padded = (text: string): DataView => {
  const bytes = new TextEncoder().encode(text)
  const view = new DataView(new ArrayBuffer(((bytes.length + 72) >> 6) << 6))
  for (const [index, byte] of [...bytes, 0x80].entries()) view.setUint8(index, byte)
  view.setUint32(view.byteLength - 4, bytes.length * 8)
  return view
}

const scheduleOf = (view: DataView, block: number): Uint32Array => {
  const words = new Uint32Array(64)
  for (let n = 0; n < 16; n++) words[n] = view.getUint32(block + n * 4)
  for (let n = 16; n < 64; n++) {
    const [near, far] = [at(words, n - 2), at(words, n - 15)]
    const mixed = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10)
    words[n] = at(words, n - 16) + (turned(far, 7) ^ turned(far, 18) ^ (far >>> 3)) + at(words, n - 7) + mixed
  }
  return words
}

const compress = (hash: Uint32Array<ArrayBuffer>, words: Uint32Array): Uint32Array<ArrayBuffer> => {
  let state = [...hash] as [number, number, number, number, number, number, number, number]
  for (let n = 0; n < 64; n++) {
    const [a, b, c, d, e, f, g, h] = state
    const first = h + spread(e, [6, 11, 25]) + ((e & f) ^ (~e & g)) + at(constants, n) + at(words, n)
    const second = spread(a, [2, 13, 22]) + ((a & b) ^ (a & c) ^ (b & c))
    state = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g]
  }
  return hash.map((word, index) => word + (state[index] ?? 0))
}

export const sha256 = (text: string): Uint8Array => {
  const view = padded(text)
  let hash = start
  for (let block = 0; block < view.byteLength; block += 64) hash = compress(hash, scheduleOf(view, block))
  const bytes = new DataView(new ArrayBuffer(32))
  for (const [index, word] of hash.entries()) bytes.setUint32(index * 4, word)
  return new Uint8Array(bytes.buffer)
}

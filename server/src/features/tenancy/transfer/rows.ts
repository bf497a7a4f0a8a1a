/** This is longer than the longest row: a setting of 4 MiB, written as JSON. */
const lineBytesMax = 32 * 1024 * 1024
/** Rows per insert. */
const batchRows = 1000
const batchCharacters = 4 * 1024 * 1024

const lineFeed = 10

/** The lines of a body. Throws for a line that is longer than any row, or for an incomplete last line. */
export async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of body) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      yield bytes.toString('utf8', start, end)
      start = end + 1
    }
    rest = bytes.subarray(start)
    if (rest.length > lineBytesMax) throw new Error('a row is longer than any can be')
  }
  if (rest.length > 0) throw new Error('the last row breaks off')
}

/** Groups lines into batches, one per statement. */
export async function* batchesOf(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = []
  let characters = 0
  for await (const line of lines) {
    batch.push(line)
    characters += line.length
    if (batch.length < batchRows && characters < batchCharacters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

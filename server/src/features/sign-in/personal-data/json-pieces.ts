/** Writes a JSON text in pieces, so that a list of any length takes little memory. */

/** A value of a JSON text, in pieces. */
export type Pieces = AsyncGenerator<string>

/** A value that is in memory. */
export async function* value(content: unknown): Pieces {
  yield JSON.stringify(content)
}

/** An object. Reads each field only when its turn comes. */
export async function* object(fields: Record<string, Pieces>): Pieces {
  let open = '{'
  for (const [name, pieces] of Object.entries(fields)) {
    yield `${open}\n${JSON.stringify(name)}: `
    yield* pieces
    open = ','
  }
  yield '\n}'
}

/** A list whose items arrive in batches. */
export async function* list(batches: AsyncIterable<unknown[]>): Pieces {
  let open = '['
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield `${open}\n${batch.map((item) => JSON.stringify(item)).join(',\n')}`
    open = ','
  }
  yield open === '[' ? '[]' : '\n]'
}

/** A list whose items are pieces themselves. */
export async function* listOfPieces(items: AsyncIterable<Pieces>): Pieces {
  let open = '['
  for await (const pieces of items) {
    yield `${open}\n`
    yield* pieces
    open = ','
  }
  yield open === '[' ? '[]' : '\n]'
}

/** Writes a JSON text piece by piece, so that a list of any length takes little memory. */

/** The pieces of a value's JSON text. */
export type Pieces = AsyncGenerator<string>

/** The pieces of a value in memory. */
export async function* value(content: unknown): Pieces {
  yield JSON.stringify(content)
}

/** The pieces of an object. Reads each field only when its turn comes. */
export async function* object(fields: Record<string, Pieces>): Pieces {
  let open = '{'
  for (const [name, pieces] of Object.entries(fields)) {
    yield `${open}\n${JSON.stringify(name)}: `
    yield* pieces
    open = ','
  }
  yield '\n}'
}

/** The pieces of a list whose items arrive in batches. */
export async function* list(batches: AsyncIterable<unknown[]>): Pieces {
  let open = '['
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield `${open}\n${batch.map((item) => JSON.stringify(item)).join(',\n')}`
    open = ','
  }
  yield open === '[' ? '[]' : '\n]'
}

/** The pieces of a list whose items also arrive in pieces. */
export async function* listOfPieces(items: AsyncIterable<Pieces>): Pieces {
  let open = '['
  for await (const pieces of items) {
    yield `${open}\n`
    yield* pieces
    open = ','
  }
  yield open === '[' ? '[]' : '\n]'
}

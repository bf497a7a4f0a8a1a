import { createSend, type CallOptions, type Input, type Path, type Sender } from './send.ts'
import type { Method } from './wire.ts'

export interface Page<T> {
  items: T[]
  /** Number of items on all pages; see `isCapped`. */
  total: number
  /** Counts from 1. */
  page: number
  /** True if more items match than `total`: the service stops counting at 10,000. Only filtered lists have this cap. */
  isCapped: boolean
  /** True if too many items match for the requested order. The items then come in order of id. */
  isSortIgnored?: boolean
}

/** A list without numbered pages: the service answers it whole, or a part of it. */
export interface CountedList<T> {
  items: T[]
  total: number
}

/** The query parameter that continues the list after (or before) one item, at constant cost. */
type Cursor = 'after_id' | 'before_id'

type PagedQuery = { page_size?: number | undefined } & { [Name in Cursor]?: number | undefined }

/** The query of a loop over all pages. Such a loop reads in order of id. */
export type WholeList<Query> = Omit<Query, 'page' | 'sort'> &
  ('sort' extends keyof Query ? { sort?: 'id' | '-id' | undefined } : unknown)

export interface Assignment {
  userId: number
  roleId: number
}

export interface KeyOfAccount {
  accountId: number
  keyId: number
}

/** Requests for the endpoints. An endpoint names its method, its path below `/api/v1` and its type. */
export interface Api {
  /** Returns the `data` of the answer. A probe answers a bare object, without an envelope. */
  ask: <T>(method: Method, path: Path, input?: Input, options?: CallOptions) => Promise<T>
  askPage: <T>(path: Path, query: object, options?: CallOptions) => Promise<Page<T>>
  /** Returns a list whose total the service sends in the header X-Total-Count. */
  askCounted: <T>(path: Path, query: object, options?: CallOptions) => Promise<CountedList<T>>
  /** Yields all items of a paged list. Reads the next page when the loop reaches it. */
  askAll: <T extends { id: number }>(
    path: Path,
    cursor: Cursor,
    query: PagedQuery,
    options?: CallOptions,
  ) => AsyncGenerator<T, void>
  /** Returns the open response of a file. The caller reads its body. */
  askFile: (
    method: Method,
    path: Path,
    input: Input & { isJson?: boolean },
    options?: CallOptions,
  ) => Promise<Response>
  /** Opens a stream of events. The caller reads the body. The signal aborts only the opening. */
  askStream: (
    path: Path,
    query: object,
    headers: Record<string, string>,
    signal: AbortSignal,
  ) => Promise<Response>
}

/** Encodes a value as a segment of a path. Throws for '', '.' and '..': a server would resolve them to another path. */
const segment = (value: string | number): string => {
  if (/^\.{0,2}$/.test(String(value))) throw new TypeError(`'${value}' cannot be a segment of a path`)
  return encodeURIComponent(value)
}

/** Builds a path with encoded values, as in path`/users/${id}`. */
export const path =
  (texts: TemplateStringsArray, ...values: (string | number)[]): Path =>
  () =>
    String.raw({ raw: texts }, ...values.map(segment))

const pageSizeMax = 200

const streamTypes = /^text\/event-stream\b/
const fileTypes = /^(?:application\/x-ndjson|text\/csv)\b/
const jsonType = /^application\/json\b/

export const createApi = (sender: Sender): Api => {
  const send = createSend(sender)

  const askPage = async <T>(below: Path, query: object, options?: CallOptions): Promise<Page<T>> => {
    const { data, response } = await send({ method: 'GET', path: below, query }, options)
    const isCapped = response.headers.get('x-total-capped') === 'true'
    const isSortIgnored = response.headers.get('x-sort-ignored') === 'true'
    return { ...(data as Omit<Page<T>, 'isCapped'>), isCapped, ...(isSortIgnored && { isSortIgnored }) }
  }

  const askAll = async function* <T extends { id: number }>(
    below: Path,
    cursor: Cursor,
    query: PagedQuery,
    options?: CallOptions,
  ): AsyncGenerator<T, void> {
    const { page_size = pageSizeMax } = query
    let lastId = query[cursor]
    let items: T[]
    do {
      items = (await askPage<T>(below, { ...query, page_size, [cursor]: lastId }, options)).items
      lastId = items.at(-1)?.id
      yield* items
    } while (items.length === page_size)
  }

  return {
    ask: async <T>(method: Method, below: Path, input?: Input, options?: CallOptions) =>
      (await send({ ...input, method, path: below }, options)).data as T,
    askPage,
    askCounted: async <T>(below: Path, query: object, options?: CallOptions): Promise<CountedList<T>> => {
      const { data, response } = await send({ method: 'GET', path: below, query }, options)
      return { items: data as T[], total: Number(response.headers.get('x-total-count')) }
    },
    askAll,
    askFile: async (method, below, { isJson = false, ...input }, options) => {
      const file = isJson ? jsonType : fileTypes
      const { response } = await send({ ...input, method, path: below, file }, options)
      const { signal } = options ?? {}
      // The signal of the call is detached when the call ends. The caller's own signal must still abort the body.
      return signal
        ? new Response(response.body?.pipeThrough(new TransformStream(), { signal }), response)
        : response
    },
    askStream: async (below, query, headers, signal) => {
      const call = { method: 'GET' as const, path: below, query, headers, file: streamTypes }
      return (await send(call, { signal })).response
    },
  }
}

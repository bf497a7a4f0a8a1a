import { createSend, type CallOptions, type Input, type Path, type Sender } from './send.ts'
import type { Method } from './wire.ts'

/** One page of a list. */
export interface Page<T> {
  items: T[]
  /** Number of items on all pages; see `isCapped`. */
  total: number
  /** The number of this page, from 1. */
  page: number
  /** Whether the service stopped counting at `total`, and there are more items. Only filtered totals stop, at 10,000. */
  isCapped: boolean
  /** Present and true when there are too many matches for the order asked for: they come by id. */
  isSortIgnored?: boolean
}

/** A list without pages of its own, or the part of it that was asked for. */
export interface CountedList<T> {
  items: T[]
  /** Number of all matching items. */
  total: number
}

/** The query parameter that reads on from an item at constant cost, in the order of the list. */
type Cursor = 'after_id' | 'before_id'

type PagedQuery = { page_size?: number | undefined } & { [Name in Cursor]?: number | undefined }

/** The query of a loop over all pages: in the order of ids. */
export type WholeList<Query> = Omit<Query, 'page' | 'sort'> &
  ('sort' extends keyof Query ? { sort?: 'id' | '-id' | undefined } : unknown)

/** A user and a role. */
export interface Assignment {
  userId: number
  roleId: number
}

/** A key of a service account. */
export interface KeyOfAccount {
  accountId: number
  keyId: number
}

/** Requests for the endpoints. Each endpoint is one line with its method, its path below `/api/v1` and its type. */
export interface Api {
  /** Gives the `data` of an answer, or the bare object of a probe. */
  ask: <T>(method: Method, path: Path, input?: Input, options?: CallOptions) => Promise<T>
  askPage: <T>(path: Path, query: object, options?: CallOptions) => Promise<Page<T>>
  /** Gives items of a list whose total stands in a header. */
  askCounted: <T>(path: Path, query: object, options?: CallOptions) => Promise<CountedList<T>>
  /** Gives all items of a paged list. Reads the next page when the loop comes to it. */
  askAll: <T extends { id: number }>(
    path: Path,
    cursor: Cursor,
    query: PagedQuery,
    options?: CallOptions,
  ) => AsyncGenerator<T, void>
  /** Gives a file. The caller reads its body. */
  askFile: (
    method: Method,
    path: Path,
    input: Input & { isJson?: boolean },
    options?: CallOptions,
  ) => Promise<Response>
  /** Opens a stream of events. The caller reads its body; the signal aborts no more than the opening. */
  askStream: (
    path: Path,
    query: object,
    headers: Record<string, string>,
    signal: AbortSignal,
  ) => Promise<Response>
}

/** Encodes a value as a segment of a path. Throws for '', '.' and '..', which lead to another path. */
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
      // The signal of the call no longer counts once the call has ended. The caller's own signal still does.
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

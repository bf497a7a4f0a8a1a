import { everyItem, type Order } from './every-item.ts'
import { createSend, type CallOptions, type Input, type Path, type Sender } from './send.ts'
import type { Method } from './wire.ts'

/** One page of a list. */
export interface Page<T> {
  items: T[]
  /** How many items all pages hold; see `isCapped`. */
  total: number
  /** The number of this page, from 1. */
  page: number
  /** Whether counting stopped at `total`: there are more. Only filtered totals stop, at 100,000. */
  isCapped: boolean
}

interface Sized {
  page_size?: number | undefined
}

/** How the endpoints are asked: each is declared in one line with method, path below `/api/v1`, and what it gives. */
export interface Api {
  /** Asks for the `data` of an answer, or for the bare object of a probe. */
  ask: <T>(method: Method, path: Path, input?: Input, options?: CallOptions) => Promise<T>
  askPage: <T>(path: Path, query: object, options?: CallOptions) => Promise<Page<T>>
  /** All items of a paged list, page by page, as the loop comes to them. */
  askAll: <T extends { id: number }>(
    path: Path,
    query: Sized,
    options?: CallOptions,
    order?: Order,
  ) => AsyncGenerator<T, void>
  /** Asks for a file, whose body is left to the caller to read. */
  askFile: (path: Path, query: object, options?: CallOptions) => Promise<Response>
}

/** One value as a segment of a path. Throws for those by which the path would be another one. */
const segment = (value: string | number): string => {
  if (/^\.{0,2}$/.test(String(value))) throw new TypeError(`'${value}' cannot be a part of a path`)
  return encodeURIComponent(value)
}

/** A path whose values are encoded, as in path`/users/${id}`. */
export const path =
  (texts: TemplateStringsArray, ...values: (string | number)[]): Path =>
  () =>
    String.raw({ raw: texts }, ...values.map(segment))

const pageSizeMax = 200

const fileTypes = /^(?:application\/x-ndjson|text\/csv)\b/

export const createApi = (sender: Sender): Api => {
  const send = createSend(sender)

  const askPage = async <T>(below: Path, query: object, options?: CallOptions): Promise<Page<T>> => {
    const { data, response } = await send({ method: 'GET', path: below, query }, options)
    const isCapped = response.headers.get('x-total-capped') === 'true'
    return { ...(data as Omit<Page<T>, 'isCapped'>), isCapped }
  }

  const askAll = <T extends { id: number }>(
    below: Path,
    query: Sized,
    options?: CallOptions,
    order: Order = '-id',
  ): AsyncGenerator<T, void> => {
    const { page_size = pageSizeMax } = query
    return everyItem(order, page_size, (page) => askPage<T>(below, { ...query, page, page_size }, options))
  }

  return {
    ask: async <T>(method: Method, below: Path, input?: Input, options?: CallOptions) =>
      (await send({ ...input, method, path: below }, options)).data as T,
    askPage,
    askAll,
    askFile: async (below, query, options) => {
      const { response } = await send({ method: 'GET', path: below, query, file: fileTypes }, options)
      const { signal } = options ?? {}
      // The call has ended, and its signal with it; the caller's own goes on.
      return signal
        ? new Response(response.body?.pipeThrough(new TransformStream(), { signal }), response)
        : response
    },
  }
}

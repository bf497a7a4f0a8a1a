import { createSend, type CallOptions, type Input, type Sender } from './send.ts'
import type { Method, WireAnswer } from './wire.ts'

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
  ask: <T>(method: Method, path: string, input?: Input, options?: CallOptions) => Promise<T>
  askPage: <T>(path: string, query: object, options?: CallOptions) => Promise<Page<T>>
  /** All items of a paged list, page by page, as the loop comes to them. */
  askAll: <T extends { id: number }>(
    path: string,
    query: Sized,
    options?: CallOptions,
  ) => AsyncGenerator<T, void>
  /** Asks for a file, whose body is left to the caller to read. */
  askFile: (path: string, query: object, options?: CallOptions) => Promise<Response>
}

/** A path whose values are encoded, as in path`/users/${id}`. */
export const path = (texts: TemplateStringsArray, ...values: (string | number)[]): string =>
  String.raw({ raw: texts }, ...values.map((value) => encodeURIComponent(value)))

const pageSizeMax = 200

/** The `data` of an envelope; probes answer without one. */
const dataOf = ({ body }: WireAnswer): unknown =>
  Object.hasOwn(body as object, 'data') ? (body as { data: unknown }).data : body

export const createApi = (sender: Sender): Api => {
  const send = createSend(sender)

  const askPage = async <T>(below: string, query: object, options?: CallOptions): Promise<Page<T>> => {
    const answer = await send({ method: 'GET', path: below, query }, options)
    const isCapped = answer.response.headers.get('x-total-capped') === 'true'
    return { ...(dataOf(answer) as Omit<Page<T>, 'isCapped'>), isCapped }
  }

  async function* askAll<T extends { id: number }>(below: string, query: Sized, options?: CallOptions) {
    const { page_size = pageSizeMax } = query
    let seen = new Set<number>()
    for (let page = 1; ; page += 1) {
      const { items } = await askPage<T>(below, { ...query, page, page_size }, options)
      // What is added in front while the loop runs moves the items before it to this page.
      for (const item of items) if (!seen.has(item.id)) yield item
      if (items.length < page_size) return
      seen = new Set(items.map(({ id }) => id))
    }
  }

  return {
    ask: async <T>(method: Method, below: string, input?: Input, options?: CallOptions) =>
      dataOf(await send({ ...input, method, path: below }, options)) as T,
    askPage,
    askAll,
    askFile: async (below, query, options) =>
      (await send({ method: 'GET', path: below, query, isFile: true }, options)).response,
  }
}

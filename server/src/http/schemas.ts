import { Type, type Static, type TSchema } from 'typebox'
import type { Slice } from '../db/columns.ts'

/** Contract, Requests and responses: an id is a whole number from 1 to 2^53-1. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [7] })
export const Uuid = Type.String({ format: 'uuid', examples: ['3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'] })
export const Time = Type.String({ description: 'ISO 8601 in UTC.', examples: ['2026-01-31T09:30:00.000Z'] })
/** A filter that must match whole. */
export const Keyword = (example: string) => Type.String({ minLength: 1, maxLength: 128, examples: [example] })
export const Status = Type.Unsafe<0 | 1>({
  type: 'integer',
  enum: [0, 1],
  description: '1 enabled, 0 disabled',
  examples: [1],
})

export const IdParams = Type.Object({ id: Id })
export const UuidParams = Type.Object({ id: Uuid })

/** The answer of an operation that returns nothing. */
export const Nothing = Type.Null()

/** Contract: page_size is 20 by default, 1 to 200; a page past the end is empty. */
export const pageFields = {
  page: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1, examples: [1] }),
  page_size: Type.Integer({ minimum: 1, maximum: 200, default: 20, examples: [20] }),
}
export const PageQuery = Type.Object(pageFields)
export type PageQuery = Static<typeof PageQuery>

/** A list that is answered whole. */
export const List = <T extends TSchema>(item: T) => Type.Array(item)

export const Page = <T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item),
    total: Type.Integer({ examples: [1] }),
    page: Type.Integer({ examples: [1] }),
  })

export interface PageOf<T> {
  items: T[]
  total: number
  page: number
}

/**
 * A page whose total may have stopped at `totalMax`. The header X-Total-Capped says so (envelope.ts); what is no field of
 * `Page` does not go out.
 */
export interface CountedPage<T> extends PageOf<T> {
  isCapped: boolean
}

/** Contract, Requests and responses: a filtered total above this may stop here. */
export const totalMax = 100_000

/** `counted` is told up to one more than `totalMax` where it was filtered, and is exact elsewhere. */
export const pageOf = <T>(items: T[], counted: number, page: number, isFiltered: boolean): CountedPage<T> => {
  const isCapped = isFiltered && counted > totalMax
  return { items, total: isCapped ? totalMax : counted, page, isCapped }
}

export const sliceOf = (query: PageQuery): Slice => ({
  limit: query.page_size,
  // Beyond this no table goes, and the product would be no integer any more.
  offset: Math.min((query.page - 1) * query.page_size, Number.MAX_SAFE_INTEGER),
})

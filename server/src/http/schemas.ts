import type { Static, TSchema } from 'typebox'
import { Type } from '../values/type.ts'
import type { Slice } from '../db/columns.ts'
import type { FieldError } from '../errors/app-error.ts'

/** An id is a whole number from 1 to 2^53-1 (docs/contract.md, "Requests and responses"). */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [7] })
export const Uuid = Type.String({ format: 'uuid', examples: ['3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'] })
export const Time = Type.String({
  format: 'date-time',
  description: 'In UTC.',
  examples: ['2026-01-31T09:30:00.000Z'],
})
/** A name of a person or thing: one line, without invisible characters (text.ts). */
export const Name = (bounds: { minLength?: number; maxLength: number }, example: string) =>
  Type.String({ ...bounds, format: 'name', 'x-trim': true, examples: [example] })
/** A filter that compares whole values. */
export const Keyword = (example: string) => Type.String({ minLength: 1, maxLength: 128, examples: [example] })
export const Status = Type.Unsafe<0 | 1>({
  type: 'integer',
  enum: [0, 1],
  description: '1 enabled, 0 disabled',
  examples: [1],
})

export const IdParams = Type.Object({ id: Id })
export const UuidParams = Type.Object({ id: Uuid })

export const Nothing = Type.Null()

const pageBounds = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1] }
const pageSizeBounds = { minimum: 1, maximum: 200, examples: [20] }
export const pageSizeUsual = 20

/** Paging: 20 items by default, 1 to 200; a page past the end is empty (docs/contract.md, "Paged lists"). */
export const pageFields = {
  page: Type.Integer({ ...pageBounds, default: 1 }),
  page_size: Type.Integer({ ...pageSizeBounds, default: pageSizeUsual }),
}
/** Page parameters of a list that is answered whole unless the request names a page. */
export const optionalPageFields = {
  page: Type.Optional(Type.Integer(pageBounds)),
  page_size: Type.Optional(Type.Integer(pageSizeBounds)),
}
export const PageQuery = Type.Object(pageFields)
export type PageQuery = Static<typeof PageQuery>

/** Continues after a row at constant cost, at any depth (docs/contract.md, "Paged lists"). */
const rowToReadOnFrom = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description, examples: [812] }))
export const BeforeId = rowToReadOnFrom(
  'Only rows before the one of this id, so older ones; `page` counts from there, and `total` stays what it is.',
)
export const AfterId = rowToReadOnFrom(
  'Only rows that come after the one of this id; `page` counts from there, and `total` stays what it is.',
)

export const PageAfterQuery = Type.Object({ ...pageFields, after_id: AfterId })
export type PageAfterQuery = Static<typeof PageAfterQuery>

/** Requests an extra field, which the usual type omits (docs/contract.md, "Requests and responses"). */
export const Include = <T extends string>(field: T) =>
  Type.Optional(
    Type.Unsafe<T>({ type: 'string', enum: [field], description: `Adds \`${field}\`.`, examples: [field] }),
  )

/** A list without pages. */
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
 * A page whose total can have stopped at `totalMax`. The header X-Total-Capped reports that (envelope.ts). `isCapped`
 * is no field of `Page`, so the serializer omits it.
 */
export interface CountedPage<T> extends PageOf<T> {
  isCapped: boolean
}

/** A list without pages. The header X-Total-Count has the total (envelope.ts). */
export interface CountedList<T> {
  items: T[]
  total: number
}

/** A filtered total above this number can stop here (docs/contract.md, "Paged lists"). */
export const totalMax = 10_000

/** `counted` is exact for an unfiltered list. For a filtered list it stops one above `totalMax`. */
export const pageOf = <T>(items: T[], counted: number, page: number, isFiltered: boolean): CountedPage<T> => {
  const isCapped = isFiltered && counted > totalMax
  return { items, total: isCapped ? totalMax : counted, page, isCapped }
}

export const sliceOf = (query: PageQuery): Slice => ({
  limit: query.page_size,
  // Keeps the product an exact integer. No table has that many rows.
  offset: Math.min((query.page - 1) * query.page_size, Number.MAX_SAFE_INTEGER),
})

export const OneOf = <T extends string>(...values: T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: values, examples: [values[0]] })

/** The transports of authenticators that WebAuthn names. */
export const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

/** A passkey in the options of a ceremony. */
export const KnownPasskey = Type.Object({
  id: Type.String({ examples: ['kH9fYh3mXb0c1YbqCrw5Jw'] }),
  type: OneOf('public-key'),
  transports: Type.Array(OneOf(...transports)),
})

/** Options for `navigator.credentials.get`, in the JSON form of WebAuthn. */
export const PasskeyRequestOptions = Type.Object(
  {
    challenge: Type.String({ examples: ['Y2hhbGxlbmdlLXdpdGgtMjU2LXJhbmRvbS1iaXRzLi4'] }),
    rpId: Type.String({ examples: ['admin.example.com'] }),
    timeout: Type.Integer({ description: 'Milliseconds.', examples: [300_000] }),
    userVerification: OneOf('required'),
    allowCredentials: Type.Array(KnownPasskey, { description: 'Empty: any passkey of this host.' }),
  },
  { title: 'PasskeyRequestOptions' },
)
export type PasskeyRequestOptions = Static<typeof PasskeyRequestOptions>

/** `data` of the error that asks for a second factor. */
export const SecondStep = Type.Object(
  {
    challenge: Type.String({
      description: 'For POST /auth/login/factor. Lives 5 minutes, and bears 5 wrong answers.',
      examples: ['Y2hhbGxlbmdlLXdpdGgtMjU2LXJhbmRvbS1iaXRzLi4'],
    }),
    methods: Type.Array(OneOf('totp', 'passkey', 'recovery_code'), {
      description: 'The kinds of answer that the account can give.',
    }),
    passkey_options: Type.Union([PasskeyRequestOptions, Type.Null()], {
      description: 'Null where the account has no passkey that works here.',
    }),
  },
  { title: 'SecondStep' },
)
export type SecondStep = Static<typeof SecondStep>

export const TraceId = Type.String({
  description: 'The trace id of the request; also in the header X-Trace-Id and in the log.',
  examples: ['4bf92f3577b34da6a3ce929d0e0e4736'],
})

/** The result of checking one list item: the item, or its fault. */
export type CheckedItem<T> = { item: T } | { fault: FieldError }

/** The request of a call, and the short lists of its answer. */
import type { GatheredRequest } from '../../../access/operations.ts'
import { invalid } from '../../../errors/app-error.ts'
import { ownArguments, type BoundAction } from './definitions.ts'
import { clean } from './untrusted.ts'

export type Arguments = Readonly<Record<string, unknown>>

/** docs/contract.md, "Assistants". */
const pageSize = 20

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const textOf = (name: string, value: unknown): string => {
  if (['string', 'number', 'boolean'].includes(typeof value)) return String(value)
  throw invalid(name, 'must be a text or a number')
}

/** Throws 400 for an argument that the action does not have, so that a model learns that it has no effect. */
const requireKnown = ({ arguments: known }: BoundAction, args: Arguments): void => {
  for (const [name, value] of Object.entries(args)) {
    if (!ownArguments.has(name) && !Object.hasOwn(known, name) && isGiven(value)) {
      throw invalid(name, 'is no argument of this action')
    }
  }
  for (const [name, { isRequired }] of Object.entries(known)) {
    if (isRequired && args[name] === undefined) throw invalid(name, 'is missing')
  }
}

/** Throws 400 for a value by which the path would be that of another route. */
const segmentOf = (argument: string, value: unknown): string => {
  const text = textOf(argument, value)
  if (dots.test(text)) throw invalid(argument, 'is no id or key')
  return encodeURIComponent(text)
}

const pathOf = ({ path, arguments: known }: BoundAction, args: Arguments): string => {
  const values = Object.entries(known).filter(([, { place }]) => place === 'path')
  return values.reduce(
    // A function, because a text can hold the patterns of a replacement.
    (made, [argument, { name }]) => made.replace(`:${name}`, () => segmentOf(argument, args[argument])),
    path,
  )
}

/** The place in an unpaged list, which the service cuts itself. */
const offsetPattern = /^o(\d{1,9})$/
const cursorPattern = /^\d{1,16}$/
/** The segments of a path that a URL removes. */
const dots = /^\.{0,2}$/

/** The value of the parameter of the page. Undefined for the first page, and for a list that the service cuts itself. */
const placeOf = (cursor: string | undefined, { cursor: at }: Arguments): string | undefined => {
  if (!isGiven(at)) return cursor === 'page' ? '1' : undefined
  const text = textOf('cursor', at)
  if (cursor === undefined && offsetPattern.test(text)) return undefined
  if (cursor !== undefined && cursorPattern.test(text)) return text
  throw invalid('cursor', 'must be the next_cursor of the page before')
}

const queryOf = ({ arguments: known, query: own, cursor, isPaged }: BoundAction, args: Arguments): string => {
  const query = new URLSearchParams(own)
  for (const [argument, { place, name }] of Object.entries(known)) {
    const value = args[argument]
    if (place === 'query' && isGiven(value)) query.set(name, textOf(argument, value))
  }
  if (isPaged) query.set('page_size', String(pageSize))
  const at = placeOf(cursor, args)
  if (cursor !== undefined && at !== undefined) query.set(cursor, at)
  return query.size > 0 ? `?${query.toString()}` : ''
}

const bodyOf = ({ method, arguments: known, wholeBody }: BoundAction, args: Arguments): unknown => {
  if (wholeBody !== undefined) return args[wholeBody]
  const fields = Object.entries(known)
    .filter(([argument, { place }]) => place === 'body' && args[argument] !== undefined)
    .map(([argument, { name }]) => [name, args[argument]])
  return fields.length > 0 || method !== 'DELETE' ? Object.fromEntries(fields) : null
}

/** Throws 400 for unknown, missing and malformed arguments. The route itself validates their values. */
export const requestOf = (action: BoundAction, args: Arguments): GatheredRequest => {
  requireKnown(action, args)
  const hasBody = Object.values(action.arguments).some(({ place }) => place === 'body')
  return {
    method: action.method,
    path: `${pathOf(action, args)}${queryOf(action, args)}`,
    body: hasBody ? bodyOf(action, args) : null,
  }
}

interface Page {
  items: unknown[]
  total?: number
  page?: number
}

const isPage = (data: unknown): data is Page =>
  typeof data === 'object' && data !== null && 'items' in data && Array.isArray(data.items)

const fieldOf = (cursor: string): string => (cursor === 'before_version' ? 'version' : 'id')

/** The cursor behind a page that the API has cut. */
const nextOf = ({ cursor }: BoundAction, { items, total = 0, page = 1 }: Page): string | null => {
  if (cursor === undefined || items.length < pageSize) return null
  if (cursor === 'page') return page * pageSize < total ? String(page + 1) : null
  const last = items.at(-1) as Record<string, unknown>
  return String(last[fieldOf(cursor)])
}

const sliced = (items: unknown[], args: Arguments): { items: unknown[]; next: string | null } => {
  const from = Number(offsetPattern.exec(textOf('cursor', args['cursor'] ?? ''))?.[1] ?? 0)
  const next = from + pageSize < items.length ? `o${from + pageSize}` : null
  return { items: items.slice(from, from + pageSize), next }
}

/** The answer of a read: at most 20 items of a list, with cleaned texts. */
export const answerOf = (action: BoundAction, args: Arguments, data: unknown) => {
  if (Array.isArray(data)) {
    const { items, next } = sliced(data, args)
    return { result: clean(items), next_cursor: next }
  }
  if (!isPage(data)) return { result: clean(data), next_cursor: null }
  const { page: _page, ...shown } = data
  if (action.cursor !== undefined) return { result: clean(shown), next_cursor: nextOf(action, data) }
  const { items, next } = sliced(data.items, args)
  return { result: clean({ ...shown, items }), next_cursor: next }
}

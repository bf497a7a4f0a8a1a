/** The normal form of a request and its change, and the digest that an approval is for. */
import type { Effect, GatheredRequest } from '../../../access/operations.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import type { ApprovedChange } from './approvals.schemas.ts'

type Json = unknown

/** JSON with the fields of every object in order. */
export const canonical = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{${fields
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`)
    .join(',')}}`
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** The beginning of a new key's text. */
const randomFields = new Set(['prefix', 'client_id'])

const steadyText = (name: string, text: string, request: string): string => {
  if (randomFields.has(name)) return '(new)'
  if (time.test(text)) return '(time)'
  return uuid.test(text) && !request.includes(text) ? '(new)' : text
}

/** A new value without what differs in each run: times, and random ids that the request does not name. */
const steady = (name: string, value: Json, request: string): Json => {
  if (typeof value === 'string') return steadyText(name, value, request)
  if (Array.isArray(value)) return value.map((item) => steady('', item, request))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, steady(key, item, request)]))
}

const detailOf = ({ detail }: Effect, request: string) =>
  Object.fromEntries(
    Object.entries(detail).map(([name, field]) => {
      if (typeof field !== 'object' || field === null || !('to' in field)) return [name, field]
      return [name, { ...field, to: steady(name, field.to, request) }]
    }),
  )

const makes = /\.(?:create|start|secret_create)$/

/** The id of the object, or `new` if the change makes it and the request does not name it. */
const resourceOf = ({ action, resourceId }: Effect, { path }: GatheredRequest): string =>
  makes.test(action) && !path.split(/[/?]/).includes(encodeURIComponent(resourceId)) ? 'new' : resourceId

const sorted = (lists: (readonly string[] | undefined)[]): string[] =>
  [...new Set(lists.flatMap((list) => list ?? []))].toSorted()

/** The records of a change that operations name, and the permissions that it gives and takes. */
export const changeOf = (request: GatheredRequest, effects: Effect[]): ApprovedChange => {
  const text = canonical([request.path, request.body])
  const records = effects.map((effect) => {
    const resource = resourceOf(effect, request)
    return {
      action: effect.action,
      resource_id: resource,
      about_user_id: resource === 'new' && effect.action === 'user.create' ? null : effect.aboutUserId,
      detail: detailOf(effect, text),
    }
  })
  return {
    // Changes of many can write their records in any order.
    records: records.toSorted((a, b) => (canonical(a) < canonical(b) ? -1 : 1)),
    gives: sorted(effects.map(({ gives }) => gives)),
    takes: sorted(effects.map(({ takes }) => takes)),
  }
}

interface Digested {
  requester: { id: number; tenantId: string }
  request: GatheredRequest
  change: ApprovedChange
}

export const digestOf = ({ requester, request, change }: Digested): Buffer =>
  sha256(canonical({ requester: [requester.tenantId, requester.id], request, change }))

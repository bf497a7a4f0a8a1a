/** Evaluation contexts: which are taken, and how they count for a caller. */
import type { Actor } from '../../../access/actor.ts'
import { contextOf, type Context } from './conditions.ts'
import { targetingKey } from './evaluation.ts'

const attributesMax = 200
const bytesMax = 16_384

/** The fault of a context; undefined for one that is taken. */
export const faultOf = (context: unknown): string | undefined => {
  if (typeof context !== 'object' || context === null || Array.isArray(context)) return 'must be an object'
  if (Object.keys(context).length > attributesMax) return `must have at most ${attributesMax} attributes`
  if (Buffer.byteLength(JSON.stringify(context)) > bytesMax) return 'must have at most 16 KiB as JSON'
  const key = contextOf(context).get(targetingKey)
  return key === undefined || typeof key === 'string' ? undefined : `must have a text as ${targetingKey}`
}

/** A context as it counts. */
export interface Counted {
  context: Context
  /** Its attributes as JSON. */
  text: () => string
  /** The tenant whose override counts; undefined for none. */
  tenantId: string | undefined
}

const counted = (attributes: object, tenantId: string | undefined): Counted => ({
  context: contextOf(attributes),
  text: () => JSON.stringify(attributes),
  tenantId,
})

/** A context that is trusted: that of a key, and of an explanation. */
export const trusted = (given: object): Counted => {
  const tenantId = contextOf(given).get('tenant_id')
  return counted(given, typeof tenantId === 'string' ? tenantId.toLowerCase() : undefined)
}

/** The context of a user: nobody claims to be another one. */
export const ofUser = ({ userId, tenantId, tenantSlug }: Actor, given: object): Counted =>
  counted(
    {
      ...given,
      [targetingKey]: String(userId),
      user_id: String(userId),
      tenant_id: tenantId,
      tenant_slug: tenantSlug,
    },
    tenantId,
  )

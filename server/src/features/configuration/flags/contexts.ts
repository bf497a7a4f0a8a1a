/** Evaluation contexts: which contexts are accepted, and how a caller changes them. */
import type { Actor } from '../../../access/actor.ts'
import { contextOf, type Context } from './conditions.ts'
import { targetingKey } from './evaluation.ts'

const attributesMax = 200
const bytesMax = 16_384

/** The fault of a context; undefined for an accepted context. */
export const faultOf = (context: unknown): string | undefined => {
  if (typeof context !== 'object' || context === null || Array.isArray(context)) return 'must be an object'
  if (Object.keys(context).length > attributesMax) return `must have at most ${attributesMax} attributes`
  if (Buffer.byteLength(JSON.stringify(context)) > bytesMax) return 'must have at most 16 KiB as JSON'
  const key = contextOf(context).get(targetingKey)
  return key === undefined || typeof key === 'string' ? undefined : `must have a text as ${targetingKey}`
}

/** A context in the form that the evaluation uses. */
export interface CallerContext {
  context: Context
  text: () => string
  /** The tenant whose override applies, if any. */
  tenantId: string | undefined
}

const counted = (attributes: object, tenantId: string | undefined): CallerContext => ({
  context: contextOf(attributes),
  text: () => JSON.stringify(attributes),
  tenantId,
})

/** The trusted context of a key or of an explanation. */
export const trusted = (given: object): CallerContext => {
  const tenantId = contextOf(given).get('tenant_id')
  return counted(given, typeof tenantId === 'string' ? tenantId.toLowerCase() : undefined)
}

/** The context of a user. The user's own attributes replace the given ones, so no user can pose as another. */
export const ofUser = ({ userId, tenantId, tenantSlug }: Actor, given: object): CallerContext =>
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

/** Secrets of a body, which an approval keeps as keyed hashes. */
import type { Effect } from '../../../access/operations.ts'
import type { Ctx } from '../../../context.ts'
import { loggable } from '../../audit/audit/audit.service.ts'
import { withheldName } from '../../configuration/attributes/values.service.ts'
import { canonical } from './changes.service.ts'

/** The names of fields whose new value a record hides, such as the value of a secret setting. */
const hiddenIn = (effects: Effect[]): Set<string> =>
  new Set(
    effects.flatMap(({ detail }) =>
      Object.entries(detail).flatMap(([name, field]) =>
        (field as { to?: unknown } | null)?.to === '[secret]' ? [name] : [],
      ),
    ),
  )

/** True if a record withholds a value of an attribute. The names of attributes can be hidden as well. */
const withholds = (effects: Effect[]): boolean => effects.some(({ detail }) => withheldName in detail)

const isSecret = (name: string, value: unknown): boolean => loggable(name, value, Infinity) !== value

/** The body with a keyed hash for every text that records would hide. Throws 503 without a secret key. */
export const maskBody = ({ parts: { secrets } }: Ctx, body: unknown, effects: Effect[]): unknown => {
  const hidden = hiddenIn(effects)
  const isWithheld = withholds(effects)
  const hash = (text: string) => `secret:${secrets.mac(text, 'approvals').toString('base64url')}`
  const masked = (name: string, value: unknown, isHidden: boolean): unknown => {
    if (typeof value === 'string') return isHidden || isSecret(name, value) ? hash(value) : value
    if (Array.isArray(value)) return value.map((item) => masked(name, item, isHidden))
    if (typeof value !== 'object' || value === null) return value
    const isWhole = loggable(name, value, Infinity) === '[secret]'
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        isWithheld && key === 'attributes'
          ? hash(canonical(item))
          : masked(key, item, isHidden || hidden.has(key) || (isWhole && !/^(?:name|key)$/i.test(key))),
      ]),
    )
  }
  return masked('', body, false)
}

/** The effective values of a user, as answers that a replica remembers. */
import { createHash } from 'node:crypto'
import { may, policies, requireMay } from '../../../access/policies.ts'
import type { Ctx } from '../../../context.ts'
import { readEffective } from '../../configuration/settings/effective.service.ts'
import { settingUnknown } from '../../configuration/settings/writes.service.ts'
import { getUser } from '../users/users.service.ts'
import type { EffectiveMemory, RememberedAnswer } from './effective-memory.service.ts'
import type { EffectiveQuery } from './user-settings.schemas.ts'

/** The user of the question; 0 for none. Throws 403 for another user without `user:read`. */
const subjectOf = ({ actor, tenantId }: Ctx, userId: number | undefined): number => {
  const isHome = actor.key === undefined && actor.tenantId === tenantId
  if (userId === undefined) return isHome ? actor.userId : 0
  if (!isHome || userId !== actor.userId) requireMay(actor, policies.readSettingsOfUser, undefined)
  return userId
}

/** Shortens a question, because it can name a hundred keys. */
const shortened = (question: string): string =>
  question.length < 500 ? question : createHash('sha256').update(question).digest('base64url')

const tagOf = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`

/** The effective values by key, as JSON, with their ETag. Without `setting:read` the answer has only public keys. */
export const listEffective = async (
  ctx: Ctx,
  memory: EffectiveMemory,
  { prefix, keys, user_id: given }: EffectiveQuery,
): Promise<RememberedAnswer> => {
  const { tenantId } = ctx
  const userId = subjectOf(ctx, given)
  const isPublicOnly = !may(ctx.actor, policies.readSettings, undefined)
  const question = [tenantId, userId, isPublicOnly, given !== undefined, prefix, keys].join(' ')
  return memory.answer(shortened(question), async () => {
    if (given !== undefined) await getUser(ctx, userId)
    const filter = { prefix, keys: keys?.split(','), isPublicOnly }
    const text = JSON.stringify(await readEffective(ctx, userId, filter))
    return { tenantId, userId, text, tag: tagOf(text) }
  })
}

/** One effective value, as JSON, with its ETag. Throws 404 for a key that is neither declared nor stored. */
export const getEffective = async (
  ctx: Ctx,
  memory: EffectiveMemory,
  key: string,
  userId: number | undefined,
): Promise<RememberedAnswer> => {
  const answer = await listEffective(ctx, memory, {
    keys: key,
    ...(userId !== undefined && { user_id: userId }),
  })
  if (answer.text === '[]') throw settingUnknown()
  return { ...answer, text: answer.text.slice(1, -1) }
}

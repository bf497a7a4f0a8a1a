/**
 * A replica remembers answers about settings for at most 1.5 s, and until an invalidation arrives, as it does with
 * permissions.
 */
import type { Invalidation } from '../../../cache/cache.ts'
import { createRemembered, type RememberedInvalidation } from '../../../cache/remembered.ts'

/** An answer about effective values, with its ETag. */
export interface RememberedAnswer {
  tenantId: string
  /** The user, or 0 for none. */
  userId: number
  /** The answer's data as JSON. */
  text: string
  tag: string
}

export interface EffectiveMemory {
  /** The answer to a question. The question names tenant and user. */
  answer: (question: string, read: () => Promise<RememberedAnswer>) => Promise<RememberedAnswer>
  forget: (change: Invalidation | undefined) => void
}

const concernsSettings = (
  { tenantId, userId }: RememberedAnswer,
  change: RememberedInvalidation,
): boolean => {
  if (change.kind !== 'settings') return false
  if (change.tenantId === '') return true
  return change.tenantId === tenantId && (change.userId === 0 || change.userId === userId)
}

/** The most characters of all remembered answers. */
const answersMax = 32_000_000

export const createEffectiveMemory = (): EffectiveMemory => {
  const answers = createRemembered<RememberedAnswer>({
    isConcerned: concernsSettings,
    size: { max: answersMax, of: ({ text }) => text.length + 1 },
  })
  return {
    answer: async (question, read) => answers.get(question) ?? (await answers.read(question, read)) ?? read(),
    forget: answers.forget,
  }
}

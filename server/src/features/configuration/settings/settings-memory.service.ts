/** A replica remembers answers about settings as long as of permissions: 1.5 s at most, and until a change is told. */
import { createRemembered, type RememberedInvalidation } from '../../../cache/remembered.ts'
import type { Invalidation } from '../../../cache/cache.ts'
import type { Db } from '../../../db/client.ts'
import { builtInDefinitions } from './built-in-definitions.ts'
import { selectDefinitions, type StoredDefinition } from './definitions.store.ts'

export type Definitions = ReadonlyMap<string, StoredDefinition>

/** All declarations, the built-in ones among them. */
export const readDefinitions = async (db: Db): Promise<Definitions> => {
  const declared = await selectDefinitions(db)
  return new Map([...declared.map((one) => [one.key, one] as const), ...builtInDefinitions])
}

/** An answer about effective values, with its tag. */
export interface RememberedAnswer {
  tenantId: string
  /** 0 for none. */
  userId: number
  /** The answer's data as JSON. */
  text: string
  tag: string
}

export interface SettingsMemory {
  /** The declarations, at most 1.5 s old. */
  definitions: (db: Db) => Promise<Definitions>
  /** An answer by the question, which names tenant and user. */
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

/** Of all remembered answers, in characters. */
const answersMax = 32_000_000

export const createSettingsMemory = (): SettingsMemory => {
  const definitions = createRemembered<Definitions>({
    isConcerned: (_all, change) => change.kind === 'settings' && change.tenantId === '',
  })
  const answers = createRemembered<RememberedAnswer>({
    isConcerned: concernsSettings,
    size: { max: answersMax, of: ({ text }) => text.length + 1 },
  })
  return {
    definitions: async (db) =>
      definitions.get('all') ??
      (await definitions.read('all', () => readDefinitions(db))) ??
      builtInDefinitions,
    answer: async (question, read) => answers.get(question) ?? (await answers.read(question, read)) ?? read(),
    forget: (change) => {
      definitions.forget(change)
      answers.forget(change)
    },
  }
}

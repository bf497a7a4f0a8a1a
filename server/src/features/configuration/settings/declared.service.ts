/** The declarations of keys: those of Tenantry itself, and the product's. */
import type { Invalidation } from '../../../cache/cache.ts'
import { createRemembered } from '../../../cache/remembered.ts'
import type { BuiltInSetting, Ctx, Parts } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import type { StoredDefinition } from './definitions.sql.ts'
import { selectDefinition, selectSecretKeys } from './definitions.store.ts'
import { faultsOf } from '../../../values/schema-validator.ts'

type Reader = Pick<Ctx, 'db'> & { parts: Pick<Parts, 'builtInSettings'> }

/** The rules that a value must satisfy. */
type Rules = Pick<StoredDefinition, 'schema'> & Pick<BuiltInSetting, 'check'>
export type Declaration = StoredDefinition & Rules

const declarationOf = ({ default: byDefault = null, ...row }: BuiltInSetting): Declaration => ({
  key: row.key,
  schema: row.schema,
  ...(row.check && { check: row.check }),
  default_value: byDefault,
  scopes: row.scopes,
  is_secret: false,
  is_public: false,
  is_locked: false,
  label: row.label,
  description: row.description,
  group_name: row.group,
  updated_at: '',
})

/** The declarations of built-in settings. */
export const builtInDeclarations = ({ builtInSettings }: Pick<Parts, 'builtInSettings'>): Declaration[] =>
  [...builtInSettings.values()].map(declarationOf)

const prefixesOf = ({ builtInSettings }: Pick<Parts, 'builtInSettings'>): string[] =>
  [...builtInSettings.keys()].filter((key) => key.includes('.')).map((key) => key.replace(/\..*/, '.'))

/** True for a key that this version or a later one reads. Products cannot declare or lock it. */
export const isReserved = (parts: Pick<Parts, 'builtInSettings'>, key: string): boolean =>
  parts.builtInSettings.has(key) ||
  ['tenantry.', ...prefixesOf(parts)].some((prefix) => key.startsWith(prefix))

/** The declaration of a key, undefined where any value fits. `stored` is the product's declaration. */
export const declarationFor = (
  { builtInSettings }: Pick<Parts, 'builtInSettings'>,
  key: string,
  stored: StoredDefinition | null | undefined,
): Declaration | undefined => {
  const row = builtInSettings.get(key)
  return row ? declarationOf(row) : (stored ?? undefined)
}

/** Reads the declaration of a key; undefined where any value fits. */
export const findDeclaration = async ({ db, parts }: Reader, key: string): Promise<Declaration | undefined> =>
  declarationFor(parts, key, parts.builtInSettings.has(key) ? undefined : await selectDefinition(db, key))

/** Throws 400 for a value that the schema refuses, or the built-in setting's own check. */
const requireFitting = ({ schema, check }: Rules, value: unknown): void => {
  const fields = faultsOf(schema, value)
  const [first] = fields
  if (first) throw new AppError('invalidInput', `${first.field}: ${first.message}`, { fields })
  check?.(value)
}

/** Throws 403 when the key is locked for a tenant, and 400 for a scope or a value that its declaration refuses. */
export const requireDeclared = (
  declaration: Declaration | undefined,
  scope: 'global' | 'tenant' | 'user',
  value: unknown,
): void => {
  if (!declaration) return
  if (declaration.is_locked && scope !== 'global') {
    throw new AppError(
      'settingLocked',
      'The installation has locked this setting. Ask a platform administrator',
    )
  }
  if (!declaration.scopes.includes(scope)) {
    throw invalid('key', `is declared for the scopes ${declaration.scopes.join(', ')} only`)
  }
  requireFitting(declaration, value)
}

/** True if the built-in setting takes the value. */
export const accepts = (row: BuiltInSetting, value: unknown): boolean => {
  try {
    requireFitting(declarationOf(row), value)
    return true
  } catch (err) {
    if (err instanceof AppError) return false
    throw err
  }
}

/** The keys of declared secrets. A replica caches them for 1.5 s. */
export interface SecretKeys {
  /** True if the key is secret, and also if declarations changed during the read. */
  has: (db: Db, key: string) => Promise<boolean>
  forget: (change: Invalidation | undefined) => void
}

export const createSecretKeys = (): SecretKeys => {
  const keys = createRemembered<ReadonlySet<string>>({
    isConcerned: (_all, change) => change.kind === 'settings' && change.tenantId === '',
  })
  const read = async (db: Db) => new Set((await selectSecretKeys(db)).map(({ key }) => key))
  return {
    has: async (db, key) => (keys.get('all') ?? (await keys.read('all', () => read(db))))?.has(key) ?? true,
    forget: keys.forget,
  }
}

import type { Parts } from '../../../context.ts'
import { listAuditKeys, type AuditKey } from '../../../crypto/statements.ts'

/** The public keys of the audit chain as a JSON Web Key Set, newest first. */
export const getAuditKeys = async ({ store }: Pick<Parts, 'store'>): Promise<{ keys: AuditKey[] }> => ({
  keys: await store.transaction({}, listAuditKeys, 'tenantry_seal'),
})

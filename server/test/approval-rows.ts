/** An approval as rows, for tests that look at every table and at every endpoint. */
import sql from 'sql-template-tag'
import { sha256 } from '../src/crypto/sha256.ts'
import { insertApproval, insertDecision } from '../src/features/tenancy/approvals/approvals.store.ts'
import type { Tenant } from './factories.ts'
import { parts } from './harness.ts'

/** A change with a decision that the administrator of a tenant asked for. Returns the id of the approval. */
export const insertApprovalRows = ({ id: tenantId, admin }: Pick<Tenant, 'id' | 'admin'>): Promise<number> =>
  parts.store.transaction({ tenantId }, async (db) => {
    const { id } = await insertApproval(db, {
      tenantId,
      requester: { id: admin.userId, tenantId, accountId: 1, name: admin.username },
      operations: ['webhook.change'],
      approvals: 2,
      method: 'DELETE',
      path: '/webhooks/1',
      body: null,
      change: { records: [], gives: [], takes: [] },
      concerned: [],
      reason: 'A ticket',
      digest: sha256('any'),
      isBreakGlass: false,
    })
    const decision = { userId: admin.userId, accountId: 1, username: admin.username }
    insertDecision(db, tenantId, { approvalId: id, ...decision, approve: true, comment: '' })
    return id
  })

/** Policies for some operations, as rows. Tests of the built-in tenant delete them again. */
export const insertPolicies = (tenantId: string, names: readonly string[]): Promise<number> =>
  parts.store.scoped({ tenantId }).run(sql`
    insert into approval_policies (tenant_id, operation, approvals, permission_codes, break_glass)
    select ${tenantId}, name, 1, '{}', false from unnest(${[...names]}::text[]) as one(name)`)

/** A revocation by a review acts as the endpoint of its kind, with the permissions and the rank of the reviewer. */
import type { PermissionCode } from '../../../access/permissions.ts'
import { requireAllowed } from '../../../access/policies.ts'
import type { Ctx } from '../../../context.ts'
import { errorCodes, type AppError } from '../../../errors/app-error.ts'
import { unassignRole } from '../../accounts/roles/assignments.service.ts'
import { endEligibility } from '../../accounts/roles/eligibility.service.ts'
import { deleteKey } from '../../accounts/service-accounts/keys.service.ts'
import { revokeGrant } from '../applications/grants.service.ts'
import type { ReviewedObject } from './reviewed.sql.ts'
import type { Outcome } from './reviews.schemas.ts'

interface Endpoint {
  /** The permission that the endpoint needs. */
  allow: PermissionCode
  revoke: (ctx: Ctx, item: ReviewedObject) => Promise<null>
}

const ofRole: Endpoint = {
  allow: 'role:assign',
  revoke: (ctx, { subject_id: userId, what_id: roleId }) => unassignRole(ctx, userId, roleId),
}
const ofEligibility: Endpoint = {
  allow: 'role:assign',
  revoke: (ctx, { subject_id: userId, what_id: roleId }) => endEligibility(ctx, userId, roleId),
}
const ofKey: Endpoint = {
  allow: 'service_account:update',
  revoke: (ctx, { subject_id: accountId, object_id: id }) => deleteKey(ctx, accountId, id),
}
const ofGrant: Endpoint = {
  allow: 'grant:revoke',
  revoke: (ctx, { object_id: id }) => revokeGrant(ctx, id),
}

const endpointOf = ({ kind, source }: ReviewedObject): Endpoint => {
  if (kind === 'keys') return ofKey
  if (kind === 'grants') return ofGrant
  return source === 'eligible' ? ofEligibility : ofRole
}

/** Revokes the object of an item, as a request to its endpoint does. Throws the error of that request. */
export const revoke = async (ctx: Ctx, item: ReviewedObject): Promise<void> => {
  const { allow, revoke: act } = endpointOf(item)
  requireAllowed(ctx.actor, allow)
  await act({ ...ctx, allow }, item)
}

/** True if an error refuses the revocation for good. Any other one concerns the request: its caller, or the load. */
export const isRefusal = ({ status }: AppError): boolean => [400, 403, 404, 409].includes(status)

/** The outcome of a refused revocation. */
export const outcomeOfRefusal = ({ code, status }: AppError): Outcome => {
  if (code === errorCodes.roleMapped) return 'directory'
  return status === 404 ? 'gone' : 'refused'
}

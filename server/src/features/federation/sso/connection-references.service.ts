import { platformAdminId } from '../../../access/permissions.ts'
import type { TransactionCtx } from '../../../context.ts'
import { AppError, errorCodes, invalid } from '../../../errors/app-error.ts'
import { findPermissions, getRole } from '../../accounts/roles/roles.service.ts'
import { findClientById } from '../applications/clients.service.ts'
import type { UpdateConnection } from './connections.schemas.ts'

/** The objects that a connection names. */
export type ConnectionReferences = Pick<
  UpdateConnection,
  'domains' | 'default_role_ids' | 'group_mappings' | 'application_id'
>

/** Throws 400 for an unknown role, and for a role with platform-only permissions. */
export const requireRole = async (ctx: TransactionCtx, field: string, id: number): Promise<void> => {
  const role = await getRole(ctx, id).catch((err: unknown) => {
    throw err instanceof AppError && err.code === errorCodes.roleUnknown
      ? invalid(field, 'is no role of this tenant')
      : err
  })
  const permissions = await findPermissions(
    ctx,
    role.permissions.map((one) => one.id),
  )
  if (id === platformAdminId || permissions.some((one) => one.platform_only)) {
    throw invalid(field, 'carries permissions of the platform', 'platformOnlyPermission')
  }
}

/** Throws 400 for a role or an application that a connection may not name. */
export const requireReferences = async (ctx: TransactionCtx, given: ConnectionReferences): Promise<void> => {
  const roles = [
    ...(given.default_role_ids ?? []).map((id, index) => [`default_role_ids.${index}`, id] as const),
    ...(given.group_mappings ?? []).map((one, index) => [`group_mappings.${index}`, one.role_id] as const),
  ]
  const seen = new Set<number>()
  for (const [field, id] of roles) {
    if (!seen.has(id)) await requireRole(ctx, field, id)
    seen.add(id)
  }
  const { application_id: applicationId } = given
  if (typeof applicationId === 'number' && !(await findClientById(ctx, applicationId))) {
    throw invalid('application_id', 'is no application')
  }
}

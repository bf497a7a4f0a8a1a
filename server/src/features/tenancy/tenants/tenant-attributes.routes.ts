import type { App } from '../../../http/app-type.ts'
import { UuidParams } from '../../../http/schemas.ts'
import { AttributeValues, PatchAttributes } from './tenant-attributes.schemas.ts'
import { getTenantAttributes, patchTenantAttributes } from './tenant-attributes.service.ts'

export const tenantAttributeRoutes = (app: App): void => {
  app.get(
    '/org/tenants/:id/attributes',
    {
      config: { allow: 'caller', support: 'view' },
      schema: {
        operationId: 'getTenantAttributes',
        tags: ['attributes'],
        summary: 'Read the attributes of a tenant',
        description:
          'The own tenant needs `setting:read`; another tenant needs `tenant:read`. Those that the caller may read.',
        params: UuidParams,
        response: { 200: AttributeValues },
      },
    },
    ({ ctx, params }) => getTenantAttributes(ctx, params.id),
  )
  app.patch(
    '/org/tenants/:id/attributes',
    {
      config: { allow: 'caller' },
      schema: {
        operationId: 'patchTenantAttributes',
        tags: ['attributes'],
        summary: 'Change attributes of a tenant',
        description:
          'The own tenant needs `setting:update`; another tenant needs `tenant:update`. All or none of them. Null deletes a ' +
          'value. Answers with all that the caller may read.',
        params: UuidParams,
        body: PatchAttributes,
        response: { 200: AttributeValues },
      },
    },
    ({ ctx, params, body }) => patchTenantAttributes(ctx, params.id, body),
  )
}

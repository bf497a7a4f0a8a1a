import type { App } from '../../../http/app-type.ts'
import type { CountCaller } from '../../../http/limits.ts'
import { checkEachOf } from '../../../http/validation.ts'
import { ImportedUsers, ImportUsers } from './imports.schemas.ts'
import { importUsers, type CheckedRows } from './imports.service.ts'

/**
 * `countCaller` counts each row, unless the caller has platform permissions: rows reveal which addresses have an
 * account.
 */
export const importRoutes = (app: App, countCaller: CountCaller): void => {
  app.post(
    '/users/import',
    {
      config: { allow: 'user:create', fails: ['grantExceedsOwn', 'grantOutlastsOwn'] },
      validatorCompiler: checkEachOf('rows'),
      schema: {
        operationId: 'importUsers',
        tags: ['users'],
        summary: 'Import users',
        description:
          'Up to 1,000 users from elsewhere in one transaction. Each row is created or refused for itself. Each one counts as ' +
          'a request, unless the caller holds `tenant:enter`.',
        body: ImportUsers,
        response: { 200: ImportedUsers },
      },
    },
    ({ ctx, body }) => importUsers(ctx, body as unknown as CheckedRows, countCaller),
  )
}

import type { App } from '../../../http/app-type.ts'
import { IdParams } from '../../../http/schemas.ts'
import { sendFile } from '../../../http/stream.ts'
import { AccountExport, ExportAccount, UserExport } from './personal-data.schemas.ts'
import { exportAccount, exportUser } from './personal-data.service.ts'

/** These routes answer a file without the envelope. */
export const personalDataRoutes = (app: App): void => {
  app.post(
    '/auth/account/export',
    {
      config: {
        allow: 'account',
        fails: ['oldPasswordWrong', 'proofTooOld', 'mfaRequired', 'tooManyFailures'],
      },
      schema: {
        operationId: 'exportAccount',
        tags: ['auth'],
        summary: 'Export what is stored about the own person',
        description:
          'A JSON file with the account and the user in every tenant, without secrets. At most 3 within a day (429).',
        body: ExportAccount,
        response: {
          200: { description: 'Success', content: { 'application/json': { schema: AccountExport } } },
        },
      },
    },
    async ({ ctx, body }, reply) => sendFile(reply, await exportAccount(ctx, body)),
  )
  app.get(
    '/users/:id/export',
    {
      config: { allow: 'user:read', allowAlso: 'audit:read', fails: ['userUnknown'] },
      schema: {
        operationId: 'exportUser',
        tags: ['users'],
        summary: 'Export what the tenant stores about a user',
        description: 'A JSON file, without what belongs to the account of the person. It leaves a record.',
        params: IdParams,
        response: {
          200: { description: 'Success', content: { 'application/json': { schema: UserExport } } },
        },
      },
    },
    async ({ ctx, params }, reply) => sendFile(reply, await exportUser(ctx, params.id)),
  )
}

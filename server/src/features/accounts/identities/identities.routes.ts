import type { App } from '../../../http/app-type.ts'
import { List, Nothing, UuidParams } from '../../../http/schemas.ts'
import { Identity, ProvePassword } from './identities.schemas.ts'
import { listIdentities, removeIdentity } from './own-identities.service.ts'

const tags = ['auth']

export const identityRoutes = (app: App): void => {
  app.get(
    '/auth/identities',
    {
      config: { allow: 'account' },
      schema: {
        operationId: 'listIdentities',
        tags,
        summary: 'List the own identities',
        description: 'The persons of providers who open the account, the oldest first; at most 10.',
        response: { 200: List(Identity) },
      },
    },
    ({ ctx }) => listIdentities(ctx),
  )
  app.post(
    '/auth/identities/:id/remove',
    {
      config: {
        allow: 'account',
        fails: [
          'lastOwnWay',
          'oldPasswordWrong',
          'proofTooOld',
          'mfaRequired',
          'identityUnknown',
          'tooManyFailures',
        ],
      },
      schema: {
        operationId: 'removeIdentity',
        tags,
        summary: 'Remove an own identity',
        description: 'The sessions that it opened end, and the person is told by mail.',
        params: UuidParams,
        body: ProvePassword,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body }) => removeIdentity(ctx, params.id, body),
  )
}

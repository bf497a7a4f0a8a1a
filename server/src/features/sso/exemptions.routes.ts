import type { App } from '../../http/app-type.ts'
import { IdParams, List, Nothing } from '../../http/schemas.ts'
import { Exemption, PutExemption } from './exemptions.schemas.ts'
import { listExemptions, putExemption } from './exemptions.service.ts'

const tags = ['sso']

export const exemptionRoutes = (app: App): void => {
  app.get(
    '/sso-exemptions',
    {
      config: { allow: 'sso:read' },
      schema: {
        operationId: 'listExemptions',
        tags,
        summary: 'List break-glass users',
        description:
          'All users who sign in without a connection where `auth.sso` is `required`, by id; at most 3.',
        response: { 200: List(Exemption) },
      },
    },
    ({ ctx }) => listExemptions(ctx),
  )
  app.put(
    '/users/:id/sso-exemption',
    {
      config: {
        allow: 'sso:manage',
        fails: ['userUnknown', 'exemptionsFull', 'lastWayIn', 'targetOutranksCaller'],
      },
      schema: {
        operationId: 'putExemption',
        tags,
        summary: 'Make a user a break-glass user',
        description:
          'A break-glass user has a second factor, and is no user of a directory. Each sign-in of one is told to all who ' +
          'hold `sso:manage`. Needs every permission that a user of the tenant can hold. Other managers are notified.',
        params: IdParams,
        body: PutExemption,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body }) => putExemption(ctx, params.id, body),
  )
}

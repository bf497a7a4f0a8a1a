import type { App } from '../../../http/app-type.ts'
import { List, Nothing } from '../../../http/schemas.ts'
import { DeleteAccount, Membership, SwitchTenant, TenantParams, TokenPair } from './memberships.schemas.ts'
import { deleteAccount, leaveTenant, listMemberships, switchTenant } from './memberships.service.ts'

export const membershipRoutes = (app: App): void => {
  app.get(
    '/auth/memberships',
    {
      config: { allow: 'suspendedAccount', servesConnections: true },
      schema: {
        operationId: 'listMemberships',
        tags: ['auth'],
        summary: 'List the own tenants',
        description: 'Tenants of which the person is a user, by name; at most 1,000.',
        response: { 200: List(Membership) },
      },
    },
    ({ ctx }) => listMemberships(ctx),
  )
  app.post(
    '/auth/switch',
    {
      config: {
        allow: 'suspendedAccount',
        fails: ['membershipDisabled', 'membershipUnknown', 'connectionNeededHere', 'wayClosedHere'],
      },
      schema: {
        operationId: 'switchTenant',
        tags: ['auth'],
        summary: 'Sign in to another of the own tenants',
        description:
          'The session belongs to the same sign-in: it ends with it, and never outlives the session it came from.',
        body: SwitchTenant,
        response: { 200: TokenPair },
      },
    },
    ({ ctx, body }) => switchTenant(ctx, body),
  )
  app.delete(
    '/auth/memberships/:tenantId',
    {
      config: {
        allow: 'suspendedAccount',
        fails: ['lastPlatformAdmin', 'lastWayIn', 'lastMembership', 'membershipUnknown'],
      },
      schema: {
        operationId: 'leaveTenant',
        tags: ['auth'],
        summary: 'Leave one of the own tenants',
        description: 'The last membership ends only with the account: 400.',
        params: TenantParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => leaveTenant(ctx, params.tenantId),
  )
  app.post(
    '/auth/account/delete',
    {
      config: {
        allow: 'account',
        fails: [
          'lastPlatformAdmin',
          'lastWayIn',
          'oldPasswordWrong',
          'proofTooOld',
          'mfaRequired',
          'tooManyFailures',
        ],
      },
      schema: {
        operationId: 'deleteAccount',
        tags: ['auth'],
        summary: 'Delete the own account',
        description: 'Erases the person and their user in every tenant.',
        body: DeleteAccount,
        response: { 200: Nothing },
      },
    },
    ({ ctx, body }) => deleteAccount(ctx, body),
  )
}

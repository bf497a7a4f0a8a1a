import { Type } from '../../../../values/type.ts'
import type { App } from '../../../../http/app-type.ts'
import type { ClientGate } from '../clients/client-authentication.service.ts'
import { DeviceAnswer, DeviceRequest } from '../devices/devices.schemas.ts'
import { beginDevice } from '../devices/devices.service.ts'
import { Introspection } from './introspection.schemas.ts'
import { introspect } from './introspection.service.ts'
import { revoke } from './revocation.service.ts'
import { TokenAnswer, TokenOfOthers, TokenRequest } from './token.schemas.ts'
import { handleTokenRequest } from './token.service.ts'
import { Userinfo, UserinfoRequest } from './userinfo.schemas.ts'
import { getUserinfo } from './userinfo.service.ts'

const tags = ['sign-in']
const consumes = ['application/x-www-form-urlencoded']

/** Endpoints that authenticate the client. */
export const tokenRoutes = (app: App, gate: ClientGate): void => {
  app.post(
    '/token',
    {
      config: {
        isForBrowsers: true,
        isForAssistants: true,
        refuses: [
          'access_denied',
          'authorization_pending',
          'expired_token',
          'slow_down',
          'invalid_client',
          'invalid_grant',
          'invalid_scope',
          'invalid_target',
          'unauthorized_client',
          'unsupported_grant_type',
        ],
      },
      schema: {
        operationId: 'issueTokens',
        tags,
        summary: 'Exchange a code, a refresh token or the key of a service account for tokens',
        description:
          'RFC 6749. A client proves itself by Basic authentication or in the body; public ones send `client_id` alone.',
        consumes,
        body: TokenRequest,
        response: { 200: TokenAnswer },
      },
    },
    ({ ctx, raw, body }) => handleTokenRequest(gate, ctx, raw.headers.authorization, body),
  )
  app.post(
    '/device_authorization',
    {
      config: { refuses: ['invalid_client', 'invalid_scope', 'invalid_target', 'unauthorized_client'] },
      schema: {
        operationId: 'beginDevice',
        tags,
        summary: 'Begin the sign-in of a device',
        description:
          'RFC 8628. The person types the code on a page; the device asks the token endpoint meanwhile.',
        consumes,
        body: DeviceRequest,
        response: { 200: DeviceAnswer },
      },
    },
    ({ ctx, raw, body }) => beginDevice(gate, ctx, raw.headers.authorization, body),
  )
  app.post(
    '/introspect',
    {
      config: { refuses: ['invalid_client'] },
      schema: {
        operationId: 'introspectToken',
        tags,
        summary: 'Tell whether an access token lives',
        description:
          'RFC 7662. For service accounts with `authz:check`, about tokens of their tenant; all else is inactive.',
        consumes,
        body: TokenOfOthers,
        response: { 200: Introspection },
      },
    },
    ({ ctx, raw, body }) => introspect(gate, ctx, raw.headers.authorization, body),
  )
  app.post(
    '/revoke',
    {
      config: { isForBrowsers: true, isForAssistants: true, refuses: ['invalid_client'] },
      schema: {
        operationId: 'revokeToken',
        tags,
        summary: 'End the session of a token',
        description: 'RFC 7009. Tokens that are unknown or of another client are no error.',
        consumes,
        body: TokenOfOthers,
        response: { 200: Type.Object({}) },
      },
    },
    ({ ctx, raw, body }) => revoke(gate, ctx, raw.headers.authorization, body),
  )
}

const userinfo = {
  tags,
  summary: 'Read the person behind an access token',
  description: 'OpenID Connect. For a token with the scope `openid` that is for no resource.',
  response: { 200: Userinfo },
}
const userinfoConfig = { isForBrowsers: true, refuses: ['invalid_token', 'insufficient_scope'] } as const

export const userinfoRoutes = (app: App, gate: ClientGate): void => {
  app.get(
    '/userinfo',
    {
      config: { ...userinfoConfig, refuses: [...userinfoConfig.refuses] },
      schema: { ...userinfo, operationId: 'getUserinfo' },
    },
    ({ ctx, raw }) => getUserinfo(gate, ctx, raw.headers.authorization, {}),
  )
  app.post(
    '/userinfo',
    {
      config: { ...userinfoConfig, refuses: [...userinfoConfig.refuses] },
      schema: { ...userinfo, operationId: 'postUserinfo', consumes, body: UserinfoRequest },
    },
    ({ ctx, raw, body }) => getUserinfo(gate, ctx, raw.headers.authorization, body),
  )
}

import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id, OneOf, Time, Uuid } from '../../../http/schemas.ts'

export const SupportActor = Type.Object({
  id: Id,
  name: Type.String({ examples: ['grace'] }),
  kind: { ...OneOf('platform', 'user'), description: 'Staff of the installation, or a user of the tenant.' },
})

export const SupportKind = OneOf('view', 'act')

const SupportOfSession = Type.Object({ id: Uuid, kind: SupportKind, actor: SupportActor })

export const Session = Type.Object(
  {
    id: Uuid,
    tenant_id: Type.String({
      description: '"" for the sign-in of a browser, which sessions of applications hang on.',
      examples: ['3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'],
    }),
    created_at: Time,
    last_used_at: { ...Time, description: 'In UTC, at most 5 minutes before the last use.' },
    ip: Type.String({ description: 'The address of the sign-in; "" if unknown.', examples: ['203.0.113.7'] }),
    user_agent: Type.String({
      description: 'The user agent of the sign-in; "" if unknown.',
      examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    }),
    application: Type.Union(
      [Type.Object({ id: Id, name: Type.String({ examples: ['Shop'] }) }), Type.Null()],
      { description: 'The application that it belongs to; null for the console and for sign-ins.' },
    ),
    support: Type.Union([SupportOfSession, Type.Null()], {
      description: 'The support session in which somebody works as the user; null for others.',
    }),
    is_current: Type.Boolean({ description: 'Whether this request uses the session.', examples: [true] }),
  },
  { title: 'UserSession' },
)
export type Session = Static<typeof Session>

export const TokenPair = Type.Object(
  {
    access_token: Type.String({
      description: 'JWT, to send as `Authorization: Bearer …`. Lives 2 hours.',
      examples: ['eyJhbGciOiJFZERTQSJ9.eyJ0b2tlbl91c2UiOiJhY2Nlc3MifQ.c2lnbmF0dXJl'],
    }),
    refresh_token: Type.String({
      description: 'JWT, only for POST /auth/refresh. Lives 7 days, works once.',
      examples: ['eyJhbGciOiJFZERTQSJ9.eyJ0b2tlbl91c2UiOiJyZWZyZXNoIn0.c2lnbmF0dXJl'],
    }),
    expires_in: Type.Integer({ description: 'Lifetime of the access token in seconds.', examples: [7200] }),
  },
  { title: 'TokenPair' },
)
export type TokenPair = Static<typeof TokenPair>

import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id, OneOf, Page, pageFields, Time, Uuid } from '../../../http/schemas.ts'
import { Ref } from '../../accounts/roles/assignments.schemas.ts'
import { SupportActor, SupportKind } from '../../accounts/sessions/sessions.schemas.ts'

const kindText = '`view` reads, `act` also changes.'

const Minutes = Type.Integer({ minimum: 5, maximum: 60, examples: [30] })

const Status = OneOf('waiting', 'ready', 'active', 'over', 'refused', 'expired')

const SupportedRequest = Type.Object({
  method: Type.String({ examples: ['GET'] }),
  path: Type.String({ description: 'The template.', examples: ['/api/v1/users/{id}'] }),
  count: Type.Integer({ examples: [3] }),
})

export const SupportSession = Type.Object(
  {
    id: Uuid,
    tenant_id: Uuid,
    kind: { ...SupportKind, description: kindText },
    status: Status,
    actor: SupportActor,
    user: Ref,
    reason: Type.String({ examples: ['Ticket 4711: the export of March'] }),
    minutes: Minutes,
    permissions: Type.Array(Type.String({ examples: ['user:read'] }), {
      description: 'The most that it may use. Each counts while the user holds it.',
    }),
    decided_by: Type.Union([Ref, Type.Null()], { description: 'Null: nobody allowed or refused it.' }),
    created_at: Time,
    expires_at: { ...Time, description: 'It starts before.' },
    ends_at: Type.String({
      description: 'In UTC; "" before the start.',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
    ended_by: { ...OneOf('', 'time', 'actor', 'user', 'tenant', 'authority'), examples: ['time'] },
    requests: Type.Optional(
      Type.Array(SupportedRequest, { description: 'Only with `include=requests`: up to 200 endpoints.' }),
    ),
  },
  { title: 'SupportSession' },
)
export type SupportSession = Static<typeof SupportSession>

export const SupportPage = Page(SupportSession)

export const RequestSupport = Type.Object(
  {
    user_id: Id,
    kind: { ...SupportKind, description: kindText },
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      'x-trim': true,
      description: 'The user sees it.',
      examples: ['Ticket 4711: the export of March'],
    }),
    minutes: Minutes,
  },
  { title: 'RequestSupport' },
)
export type RequestSupport = Static<typeof RequestSupport>

export const SupportQuery = Type.Object({
  ...pageFields,
  status: Type.Optional({ ...Status, description: 'Only those with this status.' }),
  user_id: Type.Optional(Id),
  mine: Type.Optional(
    Type.Boolean({ description: 'Those that the caller asked for, in every tenant.', examples: [true] }),
  ),
})
export type SupportQuery = Static<typeof SupportQuery>

export const OneSupportQuery = Type.Object({
  include: Type.Optional({ ...OneOf('requests'), description: 'Adds `requests`.' }),
})
export type OneSupportQuery = Static<typeof OneSupportQuery>

export const DecideSupport = Type.Object(
  { allow: Type.Boolean({ description: 'False refuses it.', examples: [true] }) },
  { title: 'DecideSupport' },
)
export type DecideSupport = Static<typeof DecideSupport>

export const OpenProduct = Type.Object(
  {
    application_id: Type.Union([Id, Type.String({ minLength: 1, maxLength: 512 })], {
      description:
        'An own application with `support_uri`: its id, or its `client_id`, which the product sends.',
      examples: [7],
    }),
    code_challenge: Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      description: 'Of RFC 7636, S256: the product has the verifier.',
      examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    }),
  },
  { title: 'OpenProduct' },
)
export type OpenProduct = Static<typeof OpenProduct>

export const OpenedProduct = Type.Object(
  {
    redirect_to: Type.String({
      description: 'The `support_uri` with `code` and `iss`. Add the `state` of the product.',
      examples: [
        'https://shop.example.com/support?code=SplxlOBeZQQYbYS6WxSbIA&iss=https%3A%2F%2Fadmin.example.com',
      ],
    }),
  },
  { title: 'OpenedProduct' },
)
export type OpenedProduct = Static<typeof OpenedProduct>

export const SupportToken = Type.Object(
  {
    access_token: Type.String({
      description: 'JWT, for this API alone: no published key verifies it. Lives until `ends_at`.',
      examples: ['eyJhbGciOiJFZERTQSJ9.eyJ0b2tlbl91c2UiOiJhY2Nlc3MifQ.c2lnbmF0dXJl'],
    }),
    expires_in: Type.Integer({ description: 'Seconds.', examples: [1800] }),
  },
  { title: 'SupportToken' },
)
export type SupportToken = Static<typeof SupportToken>

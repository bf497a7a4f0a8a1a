import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { BeforeId, Include, Keyword, pageFields, Time, Uuid } from '../../../http/schemas.ts'

export const actorKinds = ['user', 'service_account', 'platform', 'system'] as const

const OnBehalfOf = Type.Object({
  id: Type.Integer({ examples: [12] }),
  name: Type.String({ examples: ['grace'] }),
})

export const AuditActor = Type.Object(
  {
    id: Type.Integer({ description: 'As `user_id`.', examples: [7] }),
    name: Type.String({
      description:
        'The username, or the name of the service account, as it was then; empty where nobody is known.',
      examples: ['ada'],
    }),
    kind: Type.Unsafe<(typeof actorKinds)[number]>({
      type: 'string',
      enum: [...actorKinds],
      description:
        'A user or a service account of the tenant; `platform` for one of the built-in tenant that entered this one; ' +
        '`system` where nobody is known.',
      examples: ['user'],
    }),
    on_behalf_of: Type.Optional({
      ...OnBehalfOf,
      description: 'The user as whom the actor worked, only in records of a support session.',
    }),
  },
  { title: 'AuditActor' },
)
export type AuditActor = Static<typeof AuditActor>

export const AuditLog = Type.Object(
  {
    id: Type.Integer({ examples: [812] }),
    tenant_id: Uuid,
    user_id: Type.Integer({ description: 'The acting user; 0 if unknown.', examples: [7] }),
    action: Type.String({ description: '`resource.verb`', examples: ['role.create'] }),
    resource: Type.String({ examples: ['role'] }),
    resource_id: Type.String({ examples: ['12'] }),
    detail: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'The changed fields, and the names of the things: `{ field: { from, to } }`. Never a secret. ' +
        'A guest of a setup link is in `guest`: `{ email, setup_link_id }`, and the approval of a change in ' +
        '`approval`: `{ id, reason, approved_by }`. A record of a support session has ' +
        '`support`: `{ id, kind, on_behalf_of: { id, name } }`, and that of an assistant `via`: ' +
        '`{ kind: "mcp", application: { id, name } }`.',
      examples: [{ name: { from: 'Editors', to: 'Authors' } }],
    }),
    ip: Type.String({ examples: ['192.0.2.7'] }),
    user_agent: Type.String({ examples: ['curl/8.5.0'] }),
    trace_id: Type.String({ examples: ['4bf92f3577b34da6a3ce929d0e0e4736'] }),
    created_at: Time,
    actor: Type.Optional({ ...AuditActor, description: 'Only with `include=actor`.' }),
  },
  { title: 'AuditLog' },
)
export type AuditLog = Static<typeof AuditLog>

const include = Include('actor')

export const OneAuditQuery = Type.Object({ include })
export type OneAuditQuery = Static<typeof OneAuditQuery>

const Moment = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 35, description, examples: ['2026-01-01T00:00:00Z'] })

const filterFields = {
  user_id: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [7] })),
  action: Type.Optional({
    ...Keyword('role.create'),
    maxLength: 1000,
    description: 'One action, or up to 20 with commas between them.',
  }),
  resource: Type.Optional(Keyword('role')),
  resource_id: Type.Optional({
    ...Keyword('12'),
    description: 'The id of the object, as its records have it. Needs `resource` or `action`.',
  }),
  about_user_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Only records about this user: changes of the user, roles assigned and removed, and acts in support sessions as ' +
        'the user.',
      examples: [7],
    }),
  ),
  on_behalf_of: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only records of support sessions as this user.',
      examples: [7],
    }),
  ),
  application_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only records of changes by assistants of this application.',
      examples: [3],
    }),
  ),
  from: Type.Optional(Moment('Only records of this moment or later.')),
  to: Type.Optional(Moment('Only records before this moment.')),
  search: Type.Optional({
    ...Keyword('ada@example.com'),
    description:
      'Only records with this text, without case: in the action, the id of the object, the detail as JSON, the address, ' +
      'the user agent or the trace id. Of the records that the other filters find, the newest 20,000 are searched.',
  }),
  ip: Type.Optional({
    ...Keyword('192.0.2.7'),
    description: 'Only records of requests from this address. Searched as `search` is.',
  }),
}

export const AuditExportQuery = Type.Object({
  ...filterFields,
  include,
  format: Type.Unsafe<'ndjson' | 'csv' | 'sealed'>({
    type: 'string',
    enum: ['ndjson', 'csv', 'sealed'],
    default: 'ndjson',
    description:
      'One JSON object a line; comma-separated values with a head line; or the whole audit chain, which takes no ' +
      'filter: JSON lines with the public keys and the signed head first, and after the records of each seal the seal.',
    examples: ['ndjson'],
  }),
})
export type AuditExportQuery = Static<typeof AuditExportQuery>

export const AuditQuery = Type.Object({
  ...filterFields,
  include,
  ...pageFields,
  before_id: BeforeId,
})
export type AuditQuery = Static<typeof AuditQuery>

/** OpenAPI 3.1 has no schema for the lines of a stream, so the description names the schema of one line. */
export const NdjsonText = Type.String({
  description:
    'A JSON object a line, each ended by a line feed: the schema `AuditLog`. With `format=sealed` the lines of the ' +
    'audit chain.',
  examples: [
    '{"id":812,"tenant_id":"3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b","user_id":7,"action":"role.create","resource":"role",' +
      '"resource_id":"12","detail":{"name":{"from":null,"to":"Authors"}},"ip":"192.0.2.7","user_agent":"curl/8.5.0",' +
      '"trace_id":"4bf92f3577b34da6a3ce929d0e0e4736","created_at":"2026-01-31T09:30:00.000Z"}\n',
  ],
})

export const CsvText = Type.String({
  examples: [
    'id,tenant_id,user_id,action,resource,resource_id,detail,ip,user_agent,trace_id,created_at,actor_name,actor_kind',
  ],
})

/**
 * A position in the sealed log: the next record to read. `seal` is numbered over all tenants, and `index` counts from
 * 0.
 */
export interface AuditPosition {
  seal: number
  index: number
}

import { Type, type Static } from 'typebox'
import { Time, Uuid } from '../../http/schemas.ts'

export const Session = Type.Object(
  {
    id: Uuid,
    tenant_id: Uuid,
    created_at: Time,
    last_used_at: { ...Time, description: 'In UTC, at most 5 minutes before the last use.' },
    ip: Type.String({ description: 'The address of the sign-in; "" if unknown.', examples: ['203.0.113.7'] }),
    user_agent: Type.String({
      description: 'The user agent of the sign-in; "" if unknown.',
      examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    }),
    is_current: Type.Boolean({ description: 'Whether this request uses the session.', examples: [true] }),
  },
  { title: 'UserSession' },
)
export type Session = Static<typeof Session>

import type { Static } from 'typebox'
import { checkOf } from '../values/check.ts'
import { Type } from '../values/type.ts'

/** A message between replicas. Without a change, the receiver drops all cached state. */
const Message = Type.Object({
  /** The sending replica, which has already applied the change. */
  from: Type.String(),
  /** Milliseconds since 1970. The receiver computes the delay from it. */
  sentAt: Type.Number(),
  change: Type.Union([
    Type.Null(),
    Type.Object({
      kind: Type.Literal('user'),
      tenantId: Type.String(),
      userId: Type.Integer(),
      sessionId: Type.String(),
    }),
    Type.Object({ kind: Type.Literal('account'), accountId: Type.Integer() }),
    Type.Object({ kind: Type.Literal('tenant'), tenantId: Type.String() }),
    Type.Object({ kind: Type.Literal('catalogue') }),
    Type.Object({ kind: Type.Literal('keys') }),
    Type.Object({ kind: Type.Literal('settings'), tenantId: Type.String(), userId: Type.Integer() }),
    Type.Object({ kind: Type.Literal('flags') }),
    Type.Object({
      kind: Type.Literal('inbox'),
      tenantId: Type.String(),
      userId: Type.Integer(),
      firstId: Type.Integer(),
      lastId: Type.Integer(),
    }),
    Type.Object({
      kind: Type.Literal('queued'),
      queue: Type.Enum(['mail', 'logout', 'audit', 'webhooks']),
    }),
  ]),
})
export type Message = Static<typeof Message>

const isMessage = checkOf(Message)

/** Returns undefined for invalid text: any client of Redis can write to the channel. */
export function parseMessage(text: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return isMessage(message) ? message : undefined
  } catch {
    return undefined
  }
}

import { Ajv2020 } from 'ajv/dist/2020.js'
import { Type } from 'typebox'

/** What travels from replica to replica; without a change it says: forget all. */
const Message = Type.Object({
  /** The sender, who has applied the change already. */
  from: Type.String(),
  /** Milliseconds since 1970, from which the receiver tells the delay. */
  sentAt: Type.Number(),
  change: Type.Union([
    Type.Null(),
    Type.Object({ kind: Type.Literal('user'), tenantId: Type.String(), userId: Type.Integer() }),
    Type.Object({ kind: Type.Literal('tenant'), tenantId: Type.String() }),
    Type.Object({ kind: Type.Literal('keys') }),
  ]),
})
export type Message = Type.Static<typeof Message>

/** By Ajv, which validates requests as well: TypeBox's own way would take 10 MB of memory for this alone. */
const isMessage = new Ajv2020().compile<Message>(Message)

/** Undefined for what is no message: whoever reaches Redis can write anything to the channel. */
export function parseMessage(text: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return isMessage(message) ? message : undefined
  } catch {
    return undefined
  }
}

import type { AuditLog } from './schema.ts'

export interface WebhookEvent {
  /** The action of the audit record, such as `user.create`; or `webhook.test` or `webhook.gap`. */
  type: string
  timestamp: string
  data: AuditLog
}

/** Thrown for a delivery that is older than five minutes, or that the webhook of this secret did not send. */
export class WebhookInvalid extends Error {
  override readonly name = 'WebhookInvalid'
}

/** Headers of a `fetch` request, or in the form of Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>

const prefix = 'whsec_'
/** The accepted difference between the clocks of both sides. */
const toleranceSeconds = 300

const headerOf = (headers: WebhookHeaders, name: string): string => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value !== 'string') throw new WebhookInvalid(`the header ${name} is missing`)
  return value
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))

const requireRecent = (timestamp: number): void => {
  const isRecent = Math.abs(Date.now() / 1000 - timestamp) <= toleranceSeconds
  if (!isRecent) throw new WebhookInvalid('the delivery is too old, or a clock is wrong')
}

const openKey = (secret: string): Promise<CryptoKey> => {
  if (!secret.startsWith(prefix)) throw new TypeError(`the secret of a webhook begins with ${prefix}`)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', bytesOf(secret.slice(prefix.length)), algorithm, false, ['verify'])
}

/** Compares in constant time. A text that is no base64 matches nothing. */
const matches = async (
  key: CryptoKey,
  signature: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  try {
    return await crypto.subtle.verify('HMAC', key, bytesOf(signature), content)
  } catch {
    return false
  }
}

/**
 * Verifies a delivery of a webhook and returns its event. `body` is the raw body, before any parsing. A delivery can
 * come more than once: remember `webhook-id`, which is equal for every attempt.
 *
 * @throws WebhookInvalid when the delivery is forged, altered or older than five minutes
 * @example
 * const receive = async (request: Request, secret: string) => {
 *   const event = await verifyWebhook(request.headers, await request.text(), secret)
 *   console.log(event.type, event.data.resource_id)
 * }
 */
export const verifyWebhook = async (
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string,
): Promise<WebhookEvent> => {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const timestamp = headerOf(headers, 'webhook-timestamp')
  requireRecent(Number(timestamp))
  const key = await openKey(secret)
  const content = new TextEncoder().encode(`${headerOf(headers, 'webhook-id')}.${timestamp}.${text}`)
  for (const signature of headerOf(headers, 'webhook-signature').split(' ')) {
    const [version, value = ''] = signature.split(',')
    if (version === 'v1' && (await matches(key, value, content))) return JSON.parse(text) as WebhookEvent
  }
  throw new WebhookInvalid('no signature of the delivery is by this secret')
}

import { path, type Api } from '../api.ts'
import type {
  CreatedWebhook,
  CreateWebhook,
  Delivery,
  ListDeliveriesQuery,
  ReplayWebhook,
  RotateWebhookSecret,
  UpdateWebhook,
  Webhook,
  WebhookSecret,
  WebhookTest,
} from '../schema.ts'
import type { CallOptions } from '../send.ts'

/**
 * Webhooks send the audit records of the tenant to a URL, in order and at least once. The receiver checks them by
 * `verifyWebhook`.
 */
export const webhookEndpoints = ({ ask, askPage }: Api) => ({
  /**
   * Lists all webhooks, by id. Needs `webhook:read`.
   *
   * @throws ApiError 403 `permissionMissing`
   * @example
   * for (const { url, backlog } of await client.webhooks.list()) console.log(url, backlog)
   */
  list: (options?: CallOptions) => ask<Webhook[]>('GET', '/webhooks', {}, options),

  /**
   * Reads a webhook. `disabled_reason` tells why nothing is sent. Needs `webhook:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `webhookUnknown`
   * @example
   * console.log((await client.webhooks.get(3)).disabled_reason)
   */
  get: (id: number, options?: CallOptions) => ask<Webhook>('GET', path`/webhooks/${id}`, {}, options),

  /**
   * Creates a webhook. The answer alone shows its `secret`. It sends events once its URL has answered a test. Needs
   * `webhook:manage` and `audit:read`.
   *
   * @throws ApiError 400 `invalidInput`, `webhooksFull`; 403 `permissionMissing`; 503 `secretsOff`
   * @example
   * const { id, secret } = await client.webhooks.create({ url: 'https://example.com/hook', events: ['user.*'] })
   * console.log(secret)
   * await client.webhooks.test(id)
   */
  create: (body: CreateWebhook, options?: CallOptions) =>
    ask<CreatedWebhook>('POST', '/webhooks', { body }, options),

  /**
   * Changes a webhook. Omitted fields stay. Another URL has to answer a test first. Needs `webhook:manage` and `audit:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `webhookUnknown`
   * @example
   * await client.webhooks.update(3, { status: 1 })
   */
  update: (id: number, body: UpdateWebhook, options?: CallOptions) =>
    ask<Webhook>('PUT', path`/webhooks/${id}`, { body }, options),

  /**
   * Deletes a webhook with its deliveries. Needs `webhook:manage` and `audit:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `webhookUnknown`
   * @example
   * await client.webhooks.delete(3)
   */
  delete: (id: number, options?: CallOptions) => ask<null>('DELETE', path`/webhooks/${id}`, {}, options),

  /**
   * Makes another secret. For `keep_old_hours` deliveries carry the signatures of both. Needs `webhook:manage` and
   * `audit:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `webhookUnknown`; 503 `secretsOff`
   * @example
   * const { secret } = await client.webhooks.rotateSecret(3, { keep_old_hours: 1 })
   * console.log(secret)
   */
  rotateSecret: (id: number, body: RotateWebhookSecret = {}, options?: CallOptions) =>
    ask<WebhookSecret>('POST', path`/webhooks/${id}/secret`, { body }, options),

  /**
   * Sends one `webhook.test` now, and tells the outcome within 10 seconds. Needs `webhook:manage` and `audit:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `webhookUnknown`; 503 `secretsOff`
   * @example
   * const { status, error } = await client.webhooks.test(3)
   * console.log(status, error)
   */
  test: (id: number, options?: CallOptions) =>
    ask<WebhookTest>('POST', path`/webhooks/${id}/test`, {}, options),

  /**
   * Lists a page of the deliveries of a webhook, newest first. Needs `webhook:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `webhookUnknown`
   * @example
   * const { items } = await client.webhooks.deliveries(3, { status: 'pending' })
   * console.log(items.map(({ error }) => error))
   */
  deliveries: (id: number, query: ListDeliveriesQuery = {}, options?: CallOptions) =>
    askPage<Delivery>(path`/webhooks/${id}/deliveries`, query, options),

  /**
   * Sets the next record of a webhook: earlier ones are delivered again, and those before a later one are skipped. Needs
   * `webhook:manage` and `audit:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `webhookUnknown`, `auditLogUnknown`
   * @example
   * await client.webhooks.replay(3, { from: '2026-01-01T00:00:00Z' })
   */
  replay: (id: number, body: ReplayWebhook, options?: CallOptions) =>
    ask<null>('POST', path`/webhooks/${id}/replay`, { body }, options),
})

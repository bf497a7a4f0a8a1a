import type { App } from '../../../http/app-type.ts'
import { IdParams, List, Nothing, Page } from '../../../http/schemas.ts'
import { getDelivery, resendDelivery } from './attempts.service.ts'
import { previewReplay, replayWebhook } from './replay.service.ts'
import { testWebhook } from './sending.service.ts'
import {
  CreatedWebhook,
  CreateWebhook,
  Delivery,
  DeliveryDetails,
  DeliveryParams,
  DeliveryQuery,
  ReplayEffect,
  ReplayWebhook,
  RotateWebhookSecret,
  UpdateWebhook,
  Webhook,
  WebhookQuery,
  WebhookSecret,
  WebhookTest,
} from './webhooks.schemas.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from './webhooks.service.ts'

const tags = ['webhooks']

/** The permissions for setting up a webhook, because a webhook exposes audit records. */
const setUp = { allow: 'webhook:manage', allowAlso: 'audit:read' } as const

const alsoNeeds = 'A webhook of all tenants needs `tenant:enter` as well.'

export const webhookRoutes = (app: App): void => {
  app.get(
    '/webhooks',
    {
      config: { allow: 'webhook:read', support: 'view' },
      schema: {
        operationId: 'listWebhooks',
        tags,
        summary: 'List webhooks',
        description: 'All webhooks of the tenant in scope, ordered by id; at most 20.',
        querystring: WebhookQuery,
        response: { 200: List(Webhook) },
      },
    },
    ({ ctx, query }) => listWebhooks(ctx, query),
  )
  app.post(
    '/webhooks',
    {
      config: { ...setUp, fails: ['webhooksFull', 'limitReached', 'secretsOff'] },
      schema: {
        operationId: 'createWebhook',
        tags,
        summary: 'Create a webhook',
        description: `It hears what is sealed from now on, once its URL has answered a test with 2xx. ${alsoNeeds}`,
        body: CreateWebhook,
        response: { 200: CreatedWebhook },
      },
    },
    ({ ctx, body }) => createWebhook(ctx, body),
  )
  app.get(
    '/webhooks/:id',
    {
      config: { allow: 'webhook:read', support: 'view', fails: ['webhookUnknown'] },
      schema: {
        operationId: 'getWebhook',
        tags,
        summary: 'Read a webhook',
        description: '`disabled_reason` tells why nothing is sent.',
        params: IdParams,
        querystring: WebhookQuery,
        response: { 200: Webhook },
      },
    },
    ({ ctx, params, query }) => getWebhook(ctx, params.id, query),
  )
  app.put(
    '/webhooks/:id',
    {
      config: { ...setUp, fails: ['webhookUnknown'] },
      schema: {
        operationId: 'updateWebhook',
        tags,
        summary: 'Change a webhook',
        description: `The caller becomes its editor. Another URL has to answer a test first. ${alsoNeeds}`,
        params: IdParams,
        body: UpdateWebhook,
        response: { 200: Webhook },
      },
    },
    ({ ctx, params, body }) => updateWebhook(ctx, params.id, body),
  )
  app.delete(
    '/webhooks/:id',
    {
      config: { ...setUp, fails: ['webhookUnknown'] },
      schema: {
        operationId: 'deleteWebhook',
        tags,
        summary: 'Delete a webhook with its deliveries',
        description: alsoNeeds,
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteWebhook(ctx, params.id),
  )
}

export const webhookDeliveryRoutes = (app: App): void => {
  app.post(
    '/webhooks/:id/secret',
    {
      config: { ...setUp, fails: ['webhookUnknown', 'secretsOff'] },
      schema: {
        operationId: 'rotateWebhookSecret',
        tags,
        summary: 'Make another secret of a webhook',
        description: `For keep_old_hours, deliveries carry the signatures of both secrets. ${alsoNeeds}`,
        params: IdParams,
        body: RotateWebhookSecret,
        response: { 200: WebhookSecret },
      },
    },
    ({ ctx, params, body }) => rotateWebhookSecret(ctx, params.id, body),
  )
  app.post(
    '/webhooks/:id/test',
    {
      config: { ...setUp, fails: ['webhookUnknown', 'secretsOff'] },
      schema: {
        operationId: 'testWebhook',
        tags,
        summary: 'Send one `webhook.test` now',
        description: `Answers within 10 seconds. A URL that takes it gets events from then on. ${alsoNeeds}`,
        params: IdParams,
        response: { 200: WebhookTest },
      },
    },
    ({ ctx, params }) => testWebhook(ctx, params.id),
  )
  app.get(
    '/webhooks/:id/deliveries',
    {
      config: { allow: 'webhook:read', support: 'view', fails: ['webhookUnknown'] },
      schema: {
        operationId: 'listDeliveries',
        tags,
        summary: 'List the deliveries of a webhook',
        description: 'Newest first; of 30 days, and the last 10,000.',
        params: IdParams,
        querystring: DeliveryQuery,
        response: { 200: Page(Delivery) },
      },
    },
    ({ ctx, params, query }) => listDeliveries(ctx, params.id, query),
  )
  app.get(
    '/webhooks/:id/deliveries/:deliveryId',
    {
      config: { allow: 'webhook:read', support: 'view', fails: ['webhookUnknown', 'deliveryUnknown'] },
      schema: {
        operationId: 'getDelivery',
        tags,
        summary: 'Read a delivery with its attempts',
        description:
          'The body that was sent is an audit record: only callers with `audit:read` see it, and of another tenant with `tenant:enter`.',
        params: DeliveryParams,
        response: { 200: DeliveryDetails },
      },
    },
    ({ ctx, params }) => getDelivery(ctx, params.id, params.deliveryId),
  )
  app.post(
    '/webhooks/:id/deliveries/:deliveryId/resend',
    {
      config: {
        ...setUp,
        fails: ['auditLogUnknown', 'webhookUnknown', 'deliveryUnknown', 'webhookStopped', 'secretsOff'],
      },
      schema: {
        operationId: 'resendDelivery',
        tags,
        summary: 'Send one event again',
        description: `Answers within 10 seconds. The event keeps its id. A delivery that waits is settled when its event is taken; otherwise the webhook keeps its place. ${alsoNeeds}`,
        params: DeliveryParams,
        response: { 200: WebhookTest },
      },
    },
    ({ ctx, params }) => resendDelivery(ctx, params.id, params.deliveryId),
  )
  app.post(
    '/webhooks/:id/replay/preview',
    {
      config: { ...setUp, fails: ['auditLogUnknown', 'webhookUnknown'] },
      schema: {
        operationId: 'previewReplay',
        tags,
        summary: 'Count the events of a replay',
        description: `Changes nothing. ${alsoNeeds}`,
        params: IdParams,
        body: ReplayWebhook,
        response: { 200: ReplayEffect },
      },
    },
    ({ ctx, params, body }) => previewReplay(ctx, params.id, body),
  )
  app.post(
    '/webhooks/:id/replay',
    {
      config: { ...setUp, fails: ['auditLogUnknown', 'webhookUnknown'] },
      schema: {
        operationId: 'replayWebhook',
        tags,
        summary: 'Set the next record of a webhook',
        description: `From an earlier record on, records are delivered again. A later record skips the records before it. ${alsoNeeds}`,
        params: IdParams,
        body: ReplayWebhook,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body }) => replayWebhook(ctx, params.id, body),
  )
}

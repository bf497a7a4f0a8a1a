import type { App } from '../../http/app-type.ts'
import { IdParams, List, Nothing, Page } from '../../http/schemas.ts'
import { replayWebhook } from './replay.service.ts'
import { testWebhook } from './sending.service.ts'
import {
  CreatedWebhook,
  CreateWebhook,
  Delivery,
  DeliveryQuery,
  ReplayWebhook,
  RotateWebhookSecret,
  UpdateWebhook,
  Webhook,
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

const alsoNeeds = 'Needs `audit:read` besides, and `tenant:enter` for a webhook of all tenants.'

export const webhookRoutes = (app: App): void => {
  app.get(
    '/webhooks',
    {
      config: { allow: 'webhook:read' },
      schema: {
        operationId: 'listWebhooks',
        tags,
        summary: 'List webhooks',
        description: 'All webhooks of the tenant in scope, ordered by id; at most 20.',
        response: { 200: List(Webhook) },
      },
    },
    ({ ctx }) => listWebhooks(ctx),
  )
  app.post(
    '/webhooks',
    {
      config: { allow: 'webhook:manage', fails: [400] },
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
      config: { allow: 'webhook:read', fails: [400, 404] },
      schema: {
        operationId: 'getWebhook',
        tags,
        summary: 'Read a webhook',
        params: IdParams,
        response: { 200: Webhook },
      },
    },
    ({ ctx, params }) => getWebhook(ctx, params.id),
  )
  app.put(
    '/webhooks/:id',
    {
      config: { allow: 'webhook:manage', fails: [400, 404] },
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
      config: { allow: 'webhook:manage', fails: [400, 404] },
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
      config: { allow: 'webhook:manage', fails: [400, 404] },
      schema: {
        operationId: 'rotateWebhookSecret',
        tags,
        summary: 'Make another secret of a webhook',
        description: `Meanwhile deliveries carry the signatures of both. ${alsoNeeds}`,
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
      config: { allow: 'webhook:manage', fails: [400, 404] },
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
      config: { allow: 'webhook:read', fails: [400, 404] },
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
  app.post(
    '/webhooks/:id/replay',
    {
      config: { allow: 'webhook:manage', fails: [400, 404] },
      schema: {
        operationId: 'replayWebhook',
        tags,
        summary: 'Set the next record of a webhook',
        description: `Earlier ones are delivered again; a later one skips those before it. ${alsoNeeds}`,
        params: IdParams,
        body: ReplayWebhook,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body }) => replayWebhook(ctx, params.id, body),
  )
}

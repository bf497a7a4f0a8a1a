import type { FastifyReply } from 'fastify'
import { Type } from '../../../values/type.ts'
import type { App } from '../../../http/app-type.ts'
import { isKnown } from '../../../http/versions.ts'
import type { KnownFlags } from './known-flags.service.ts'
import {
  Evaluation,
  EvaluationHeaders,
  EvaluationParams,
  EvaluationQuery,
  EvaluationRequest,
  Evaluations,
} from './ofrep.schemas.ts'
import { evaluateFlag, evaluateFlags, type BulkAnswer } from './ofrep.service.ts'

const tags = ['flags']
const config = { isForBrowsers: true, provesCallers: true, support: 'view' } as const
const json = 'application/json; charset=utf-8'

const sendJson = (reply: FastifyReply, text: string) => reply.type(json).send(text)

const sendBulk = (reply: FastifyReply, { json: text, etag }: BulkAnswer, ifNoneMatch: string | undefined) => {
  reply.header('etag', etag)
  if (isKnown(ifNoneMatch, etag)) return reply.code(304).send()
  // Node writes bytes faster than a long text.
  return reply.type(json).send(Buffer.from(text))
}

/** The two endpoints of the OpenFeature Remote Evaluation Protocol. */
export const ofrepRoutes = (app: App, flags: KnownFlags): void => {
  app.post(
    '/v1/evaluate/flags/:key',
    {
      config,
      schema: {
        operationId: 'evaluateFlag',
        tags,
        summary: 'Evaluate a feature flag',
        description:
          'OFREP 0.3. Needs a key with `flag:evaluate`, or a user’s access token, which sees only flags with `client_side`.',
        params: EvaluationParams,
        body: EvaluationRequest,
        response: { 200: Evaluation },
      },
    },
    async ({ ctx, params, body }, reply) => sendJson(reply, await evaluateFlag(ctx, flags, params.key, body)),
  )
  app.post(
    '/v1/evaluate/flags',
    {
      config,
      schema: {
        operationId: 'evaluateFlags',
        tags,
        summary: 'Evaluate all feature flags that the caller sees',
        description:
          'OFREP 0.3. Needs the same token or key as the evaluation of one flag. `ETag` covers answer and effective context.',
        querystring: EvaluationQuery,
        headers: EvaluationHeaders,
        body: EvaluationRequest,
        response: { 200: Evaluations, 304: Type.Null() },
      },
    },
    async ({ ctx, body, headers }, reply) =>
      sendBulk(reply, await evaluateFlags(ctx, flags, body), headers['if-none-match']),
  )
}

/** Requests and answers of the OpenFeature Remote Evaluation Protocol 0.3. */
import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { OneOf } from '../../../http/schemas.ts'
import { reasons } from './flags.schemas.ts'

const evaluationErrors = [
  'FLAG_NOT_FOUND',
  'TARGETING_KEY_MISSING',
  'INVALID_CONTEXT',
  'PARSE_ERROR',
  'GENERAL',
] as const

/** Accepts any body, because a fault of the context must be an error of the protocol. */
export const EvaluationRequest = Type.Object(
  {
    context: Type.Optional(
      Type.Unknown({
        description:
          'Up to 200 attributes and 16 KiB as JSON. `targetingKey` is a text. With a user’s token, `targetingKey`, `user_id`, `tenant_id` and `tenant_slug` are those of the token.',
        examples: [{ targetingKey: 'user-7', plan: 'gold' }],
      }),
    ),
  },
  { title: 'EvaluationRequest' },
)
export type EvaluationRequest = Static<typeof EvaluationRequest>

const key = Type.String({ examples: ['checkout.new'] })

export const EvaluationParams = Type.Object({ key })

const successFields = {
  key,
  value: Type.Unknown({ examples: [true] }),
  variant: Type.String({ examples: ['on'] }),
  metadata: Type.Object({ version: Type.Integer({ examples: [1] }) }),
  reason: OneOf(...reasons),
}

export const Evaluation = Type.Object(successFields, { title: 'Evaluation' })

const failureFields = {
  errorCode: OneOf(...evaluationErrors),
  errorDetails: Type.String({ examples: ['There is no such flag'] }),
}

/** The body of an error: the key if the request named one flag, and a code if the caller can correct the request. */
export const EvaluationFailure = Type.Object(
  {
    key: Type.Optional(key),
    errorCode: Type.Optional(failureFields.errorCode),
    errorDetails: failureFields.errorDetails,
  },
  { title: 'EvaluationFailure' },
)

export const Evaluations = Type.Object(
  {
    flags: Type.Array(
      Type.Union([Evaluation, Type.Object({ key, ...failureFields }, { title: 'FailedEvaluation' })]),
    ),
  },
  { title: 'Evaluations' },
)

/** Clients send it after an event of the event stream. The service ignores it. */
export const EvaluationQuery = Type.Object({
  flagConfigEtag: Type.Optional(
    Type.String({ maxLength: 1024, description: 'Accepted, without effect.', examples: ['abc'] }),
  ),
  flagConfigLastModified: Type.Optional(
    Type.String({ maxLength: 64, description: 'Accepted, without effect.', examples: ['1771622898'] }),
  ),
})

export const EvaluationHeaders = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({
      maxLength: 1024,
      description: 'The `ETag` of an earlier answer: the same answer to the same context is 304.',
      examples: ['"abc"'],
    }),
  ),
})

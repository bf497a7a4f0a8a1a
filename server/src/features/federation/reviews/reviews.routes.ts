import type { App } from '../../../http/app-type.ts'
import { IdParams, List } from '../../../http/schemas.ts'
import { sendFile } from '../../../http/stream.ts'
import { closeReview, exportReview } from './closing.service.ts'
import { decide } from './decisions.service.ts'
import {
  Decide,
  DecidedItem,
  OpenReview,
  Review,
  ReviewItemPage,
  ReviewItemQuery,
  ReviewPage,
  ReviewQuery,
  ReviewReport,
} from './reviews.schemas.ts'
import { getReview, listReviewItems, listReviews, openReview } from './reviews.service.ts'

const tags = ['reviews']

const readingRoutes = (app: App): void => {
  app.get(
    '/reviews',
    {
      config: { allow: 'caller' },
      schema: {
        operationId: 'listReviews',
        tags,
        summary: 'List access reviews',
        description: 'Ordered by id. Without review:read a reviewer gets the own ones.',
        querystring: ReviewQuery,
        response: { 200: ReviewPage },
      },
    },
    ({ ctx, query }) => listReviews(ctx, query),
  )
  app.get(
    '/reviews/:id',
    {
      config: { allow: 'caller', fails: ['permissionMissing', 'reviewUnknown'] },
      schema: {
        operationId: 'getReview',
        tags,
        summary: 'Read an access review',
        description: 'For its reviewers, and callers with review:read.',
        params: IdParams,
        response: { 200: Review },
      },
    },
    ({ ctx, params }) => getReview(ctx, params.id),
  )
  app.get(
    '/reviews/:id/items',
    {
      config: { allow: 'caller', fails: ['permissionMissing', 'reviewUnknown'] },
      schema: {
        operationId: 'listReviewItems',
        tags,
        summary: 'List the items of an access review',
        description: 'For its reviewers, and callers with review:read. Ordered by id.',
        params: IdParams,
        querystring: ReviewItemQuery,
        response: { 200: ReviewItemPage },
      },
    },
    ({ ctx, params, query }) => listReviewItems(ctx, params.id, query),
  )
}

export const reviewRoutes = (app: App): void => {
  readingRoutes(app)
  app.post(
    '/reviews',
    {
      config: {
        allow: 'review:manage',
        fails: ['mfaRequired', 'ownSessionNeeded', 'reviewsFull', 'reviewTooLarge'],
      },
      schema: {
        operationId: 'openReview',
        tags,
        summary: 'Open an access review',
        description:
          'Takes a snapshot of what the tenant has of these kinds. Needs an own session with a second factor.',
        body: OpenReview,
        response: { 200: Review },
      },
    },
    ({ ctx, body }) => openReview(ctx, body),
  )
  app.post(
    '/reviews/:id/close',
    {
      config: {
        allow: 'review:manage',
        fails: ['mfaRequired', 'ownSessionNeeded', 'reviewUnknown', 'reviewClosed'],
      },
      schema: {
        operationId: 'closeReview',
        tags,
        summary: 'Close an access review',
        description:
          'Undecided items stay. The sealed record has the hash of the report. Needs an own session with a second factor.',
        params: IdParams,
        response: { 200: Review },
      },
    },
    ({ ctx, params }) => closeReview(ctx, params.id),
  )
  app.post(
    '/reviews/:id/decide',
    {
      config: {
        allow: 'user',
        fails: [
          'mfaRequired',
          'ownSessionNeeded',
          'notReviewer',
          'ownItem',
          'reviewUnknown',
          'reviewItemUnknown',
          'reviewClosed',
        ],
      },
      schema: {
        operationId: 'decideReview',
        tags,
        summary: 'Keep or revoke what items of a review are about',
        description:
          'For its reviewers, in an own session with a second factor. A revocation acts as the endpoint of its kind.',
        params: IdParams,
        body: Decide,
        response: { 200: List(DecidedItem) },
      },
    },
    ({ ctx, params, body }) => decide(ctx, params.id, body),
  )
}

/** This route answers a file without the envelope. */
export const reviewReportRoutes = (app: App): void => {
  app.get(
    '/reviews/:id/report',
    {
      config: { allow: 'caller', fails: ['permissionMissing', 'reviewUnknown'] },
      schema: {
        operationId: 'exportReview',
        tags,
        summary: 'Export the report of an access review',
        description:
          'A JSON file. After the end it always has the same bytes, whose SHA-256 the record `review.close` has.',
        params: IdParams,
        response: {
          200: { description: 'Success', content: { 'application/json': { schema: ReviewReport } } },
        },
      },
    },
    async ({ ctx, params }, reply) => sendFile(reply, await exportReview(ctx, params.id)),
  )
}

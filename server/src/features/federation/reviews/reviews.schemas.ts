import type { Static } from 'typebox'
import { AfterId, Id, Name, OneOf, Page, pageFields, Time } from '../../../http/schemas.ts'
import { Type } from '../../../values/type.ts'
import { EndTime, Ref } from '../../accounts/roles/assignments.schemas.ts'

const kinds = ['roles', 'keys', 'grants'] as const
export const outcomes = ['pending', 'kept', 'revoked', 'gone', 'changed', 'refused', 'directory'] as const
export type Outcome = (typeof outcomes)[number]

const Kind = OneOf(...kinds)
export type Kind = (typeof kinds)[number]

const OutcomeField = {
  ...OneOf(...outcomes),
  description:
    '`gone`: it had ended before. `changed`: it had changed, and is asked anew. `refused`: the reviewer may not revoke it. ' +
    '`directory`: a group gives the role, which stays.',
}

const asked = {
  name: Name({ minLength: 1, maxLength: 128 }, 'First quarter'),
  kinds: Type.Array(Kind, {
    minItems: 1,
    maxItems: 3,
    uniqueItems: true,
    description: 'Roles that are held or eligible, keys of service accounts, consents of users.',
    examples: [['roles', 'keys']],
  }),
  reviewer_ids: Type.Array(Id, {
    minItems: 1,
    maxItems: 20,
    uniqueItems: true,
    description: 'Users of the tenant.',
    examples: [[7, 9]],
  }),
}

export const OpenReview = Type.Object(
  {
    ...asked,
    due_at: Type.String({
      format: 'date-time',
      maxLength: 35,
      description: '1 to 90 days ahead. The review closes then.',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
  },
  { title: 'OpenReview' },
)
export type OpenReview = Static<typeof OpenReview>

const Count = Type.Integer({ minimum: 0, examples: [0] })

export const ReviewCounts = Type.Object(
  {
    total: Type.Integer({ minimum: 0, examples: [120] }),
    pending: Count,
    kept: Count,
    revoked: Count,
    gone: Count,
    changed: Count,
    refused: Count,
    directory: Count,
  },
  { title: 'ReviewCounts', description: 'The items of each outcome.' },
)
export type ReviewCounts = Static<typeof ReviewCounts>

export const Review = Type.Object(
  {
    id: Id,
    ...asked,
    due_at: Time,
    status: OneOf('open', 'closed'),
    counts: ReviewCounts,
    created_by: Ref,
    created_at: Time,
    closed_at: Type.String({ description: 'In UTC; "" while it is open.', examples: [''] }),
    report_sha256: Type.String({
      description: 'SHA-256 of the report in hex; "" before the record of the end.',
      examples: [''],
    }),
  },
  { title: 'Review' },
)
export type Review = Static<typeof Review>

export const ReviewQuery = Type.Object({
  ...pageFields,
  status: Type.Optional({ ...OneOf('open', 'closed'), description: 'Only reviews with this status.' }),
  after_id: AfterId,
})
export type ReviewQuery = Static<typeof ReviewQuery>

export const ReviewPage = Page(Review)

const LastUsed = Type.String({
  description:
    'When a key or consent was last used, in UTC; of a role the holder’s last sign-in or use. "" if never.',
  examples: ['2026-01-31T09:30:00.000Z'],
})

export const ReviewItem = Type.Object(
  {
    id: Id,
    kind: Kind,
    subject: Type.Object({ ...Ref.properties, type: OneOf('user', 'service_account') }),
    what: { ...Ref, description: 'The role, key or application.' },
    source: {
      ...OneOf('manual', 'default', 'invitation', 'sso', 'eligible', 'consent'),
      description: 'Of a role as in assignments, or `eligible`; of a consent `consent`.',
    },
    given_by: Ref,
    given_at: Time,
    expires_at: EndTime,
    last_used_at: LastUsed,
    decision: { ...OneOf('', 'keep', 'revoke'), description: '"" before a decision.' },
    decided_by: Ref,
    comment: Type.String({ examples: [''] }),
    outcome: OutcomeField,
  },
  { title: 'ReviewItem' },
)
export type ReviewItem = Static<typeof ReviewItem>

export const ReviewItemQuery = Type.Object({
  ...pageFields,
  kind: Type.Optional({ ...Kind, description: 'Only items of this kind.' }),
  outcome: Type.Optional({ ...OneOf(...outcomes), description: 'Only items with this outcome.' }),
  after_id: AfterId,
})
export type ReviewItemQuery = Static<typeof ReviewItemQuery>

export const ReviewItemPage = Page(ReviewItem)

export const Decide = Type.Object(
  {
    item_ids: Type.Array(Id, { minItems: 1, maxItems: 200, uniqueItems: true, examples: [[41, 42]] }),
    decision: OneOf('keep', 'revoke'),
    comment: Type.Optional(
      Type.String({ maxLength: 500, 'x-trim': true, default: '', examples: ['Left the team'] }),
    ),
  },
  { title: 'DecideReview' },
)
export type Decide = Static<typeof Decide>

export const DecidedItem = Type.Object({ id: Id, outcome: OutcomeField }, { title: 'DecidedItem' })
export type DecidedItem = Static<typeof DecidedItem>

/** The file of a review. Its form is part of every sealed hash: a change of it needs another version. */
export const ReviewReport = Type.Object(
  {
    version: Type.Integer({ examples: [1] }),
    review: Type.Object({
      id: Id,
      tenant_id: Type.String({ examples: ['3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'] }),
      name: Type.String({ examples: ['First quarter'] }),
      kinds: Type.Array(Kind),
      reviewer_ids: Type.Array(Id),
      due_at: Time,
      created_by: Ref,
      created_at: Time,
      closed_at: Type.String({ description: '"" while it is open.', examples: [''] }),
      counts: ReviewCounts,
    }),
    items: Type.Array(
      Type.Object({
        ...ReviewItem.properties,
        decided_at: Type.String({ description: 'In UTC; "" before a decision.', examples: [''] }),
      }),
    ),
  },
  { title: 'ReviewReport' },
)

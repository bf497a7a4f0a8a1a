import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { BeforeId, Id, OneOf, Page, pageFields, Time } from '../../../http/schemas.ts'
import { Ref } from '../../accounts/roles/assignments.schemas.ts'

const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  'x-trim': true,
  examples: ['Ticket 4711: Grace takes over the support'],
})
const Comment = Type.String({ maxLength: 500, 'x-trim': true, examples: ['As agreed'] })
const Method = OneOf('POST', 'PUT', 'PATCH', 'DELETE')
const Path = Type.String({
  minLength: 1,
  maxLength: 2048,
  pattern: '^/[!-~]*$',
  description: 'As the request names it, below `/api/v1`, with its query.',
  examples: ['/rbac/users/7/roles'],
})
const Digest = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of requester, request and change, in hex.',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})
const Status = OneOf('pending', 'approved', 'done', 'rejected', 'cancelled', 'expired')

const Decision = Type.Object(
  { user: Ref, approve: Type.Boolean({ examples: [true] }), comment: Comment, at: Time },
  { title: 'Decision' },
)

const Codes = (description: string) => Type.Array(Type.String({ examples: ['user:delete'] }), { description })

const ChangeRecord = Type.Object(
  {
    action: Type.String({ examples: ['role.assign'] }),
    resource_id: Type.String({ description: '`new`: the change makes it.', examples: ['7'] }),
    about_user_id: Type.Union([Type.Integer(), Type.Null()], { examples: [7] }),
    detail: Type.Record(Type.String(), Type.Unknown(), {
      description: 'As the record of the change has it, without new ids and times.',
      examples: [{ role: { from: null, to: 'Support' } }],
    }),
  },
  { title: 'ChangeRecord' },
)

export const ApprovedChange = Type.Object(
  {
    records: Type.Array(ChangeRecord),
    gives: Codes('The permissions that somebody gets.'),
    takes: Codes('The permissions that somebody loses.'),
  },
  { title: 'ApprovedChange' },
)
export type ApprovedChange = Static<typeof ApprovedChange>

export const Approval = Type.Object(
  {
    id: Id,
    operations: Type.Array(
      Type.String({
        description: 'Of policies; `policy.change` is a change of a policy.',
        examples: ['authority.give'],
      }),
    ),
    method: Method,
    path: Path,
    body: Type.Unknown({
      description: 'The body of the request. Secrets are keyed hashes.',
      examples: [{ role_id: 7 }],
    }),
    change: ApprovedChange,
    reason: Reason,
    requested_by: Ref,
    status: Status,
    approvals: Type.Integer({ description: 'How many people must approve.', minimum: 1, examples: [1] }),
    decisions: Type.Array(Decision),
    digest: Digest,
    break_glass: Type.Boolean({ examples: [false] }),
    created_at: Time,
    expires_at: Time,
  },
  { title: 'Approval' },
)
export type Approval = Static<typeof Approval>

export const ApprovalPage = Page(Approval)

export const AskApproval = Type.Object(
  {
    method: Method,
    path: Path,
    body: Type.Optional(Type.Unknown({ description: 'Up to 64 KiB as JSON.', examples: [{ role_id: 7 }] })),
    reason: Reason,
    break_glass: Type.Optional(
      Type.Boolean({
        description: 'Approved at once; needs a reason of 20 characters.',
        examples: [false],
      }),
    ),
  },
  { title: 'AskApproval' },
)
export type AskApproval = Static<typeof AskApproval>

export const DecideApproval = Type.Object(
  {
    approve: Type.Boolean({ examples: [true] }),
    digest: { ...Digest, description: 'The digest that the caller saw.' },
    comment: Type.Optional(Comment),
  },
  { title: 'DecideApproval' },
)
export type DecideApproval = Static<typeof DecideApproval>

export const ApprovalQuery = Type.Object({
  ...pageFields,
  before_id: BeforeId,
  status: Type.Optional({ ...Status, description: 'Only approvals of this status.' }),
})
export type ApprovalQuery = Static<typeof ApprovalQuery>

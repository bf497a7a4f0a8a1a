import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { OneOf } from '../../../http/schemas.ts'

/** The operations of access/operations.ts, which a schema cannot import. A test compares both. */
export const PolicyOperation = OneOf(
  'authority.give',
  'authority.take',
  'user.create',
  'user.disable',
  'user.delete',
  'user.recover',
  'key.create',
  'webhook.change',
  'elevation.start',
  'setting.security',
  'sso.change',
  'tenant.change',
  'catalogue.change',
  'application.change',
  'global.change',
)
export type PolicyOperation = Static<typeof PolicyOperation>

const fields = {
  approvals: Type.Integer({
    minimum: 1,
    maximum: 2,
    description: 'How many people must approve.',
    examples: [1],
  }),
  permission_codes: Type.Array(Type.String({ minLength: 1, maxLength: 128, examples: ['user:delete'] }), {
    maxItems: 50,
    description:
      'Only for `authority.give`: it then asks only for changes that give one of these. Empty: for all.',
    examples: [['user:delete']],
  }),
  break_glass: Type.Boolean({
    description:
      'Whether a holder of `approval:break_glass` may pass it at once, in sight of all who decide.',
    examples: [false],
  }),
}

export const ApprovalPolicy = Type.Object(
  { operation: PolicyOperation, ...fields },
  { title: 'ApprovalPolicy' },
)
export type ApprovalPolicy = Static<typeof ApprovalPolicy>

export const PutApprovalPolicy = Type.Object(
  {
    approvals: fields.approvals,
    permission_codes: Type.Optional(fields.permission_codes),
    break_glass: Type.Optional(fields.break_glass),
  },
  { title: 'PutApprovalPolicy' },
)
export type PutApprovalPolicy = Static<typeof PutApprovalPolicy>

export const PolicyParams = Type.Object({
  operation: { ...PolicyOperation, description: 'Which operation.' },
})

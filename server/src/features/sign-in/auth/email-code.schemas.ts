import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Email } from '../../accounts/users/users.schemas.ts'
import { Altcha } from '../robots/robots.schemas.ts'
import { AskedTenant } from './auth.schemas.ts'

export const MailedCode = Type.String({
  minLength: 1,
  maxLength: 32,
  description: 'The six digits of the e-mail.',
  examples: ['492039'],
})

const Challenge = Type.String({
  minLength: 1,
  maxLength: 128,
  examples: ['Y2hhbGxlbmdlLXdpdGgtMjU2LXJhbmRvbS1iaXRzLi4'],
})

export const AskEmailCode = Type.Object(
  { email: Email, tenant_id: AskedTenant, altcha: Altcha },
  { title: 'AskEmailCode' },
)
export type AskEmailCode = Static<typeof AskEmailCode>

export const EmailCodeChallenge = Type.Object({ challenge: Challenge }, { title: 'EmailCodeChallenge' })
export type EmailCodeChallenge = Static<typeof EmailCodeChallenge>

export const EmailCodeLogin = Type.Object(
  { challenge: Challenge, code: MailedCode },
  { title: 'EmailCodeLogin' },
)
export type EmailCodeLogin = Static<typeof EmailCodeLogin>

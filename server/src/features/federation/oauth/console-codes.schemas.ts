import { Type } from 'typebox'

export { TokenPair } from '../../accounts/sessions/sessions.schemas.ts'

export const ExchangeCode = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: 128, examples: ['the code of the fragment'] }) },
  { title: 'ExchangeCode' },
)

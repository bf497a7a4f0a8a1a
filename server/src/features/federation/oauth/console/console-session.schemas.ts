import type { Static } from 'typebox'
import { Type } from '../../../../values/type.ts'
import { Refresh, TokenPair } from '../../../sign-in/auth/auth.schemas.ts'

const Text = Type.String({ minLength: 1, maxLength: 128 })

export const KeepSession = Type.Object(
  {
    code: Type.Optional(Text),
    code_verifier: Type.Optional(Text),
    redirect_uri: Type.Optional(Text),
    refresh_token: Type.Optional(Refresh.properties.refresh_token),
    session_id: Type.Optional(Type.String({ format: 'uuid' })),
  },
  { title: 'KeepSession' },
)
export type KeepSession = Static<typeof KeepSession>

export { TokenPair }

/** The tokens without the refresh token, which is in a cookie. */
export const KeptSession = Type.Omit(TokenPair, ['refresh_token'])

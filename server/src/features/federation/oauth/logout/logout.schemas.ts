import type { Static } from 'typebox'
import { Type } from '../../../../values/type.ts'

const Parameter = (maxLength: number, example: string) =>
  Type.Optional(Type.String({ maxLength, examples: [example] }))

/** The parameters of RP-Initiated Logout. */
export const Logout = Type.Object(
  {
    id_token_hint: Parameter(8192, 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln'),
    client_id: Parameter(512, 'x4kT9mQ2sVb7LpWc1RzYeA'),
    post_logout_redirect_uri: Parameter(2048, 'https://app.example.com/bye'),
    state: Parameter(4096, 'af0ifjsldkj'),
  },
  { title: 'Logout' },
)
export type Logout = Static<typeof Logout>

export const LogoutQuestion = Type.Object(
  {
    application: Type.Union(
      [
        Type.Object({
          name: Type.String({ examples: ['Shop'] }),
          logo: Type.String({ description: 'A data URL, or "".', examples: [''] }),
          home_url: Type.String({ examples: ['https://shop.example.com/'] }),
        }),
        Type.Null(),
      ],
      { description: 'Null where the request names none.' },
    ),
    account: Type.String({
      description: 'The address of the person who is signed in with this browser; "" for nobody.',
      examples: ['ada@example.com'],
    }),
  },
  { title: 'LogoutQuestion' },
)
export type LogoutQuestion = Static<typeof LogoutQuestion>

export const LoggedOut = Type.Object(
  {
    redirect_to: Type.String({
      description: 'Where the browser goes.',
      examples: ['https://app.example.com/bye'],
    }),
  },
  { title: 'LoggedOut' },
)
export type LoggedOut = Static<typeof LoggedOut>

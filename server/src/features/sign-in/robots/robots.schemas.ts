import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { OneOf } from '../../../http/schemas.ts'

export const Robots = {
  ...OneOf('off', 'proof_of_work'),
  description: '`proof_of_work`: registration, sign-up and mailed links need `altcha`.',
}

const Hex = (bytes: number, example: string) =>
  Type.String({ pattern: `^[0-9a-f]{${2 * bytes}}$`, examples: [example] })

/** The names of ALTCHA, version 2, whose widget and libraries solve it. */
export const Challenge = Type.Object(
  {
    parameters: Type.Object({
      algorithm: Type.String({ examples: ['PBKDF2/SHA-256'] }),
      cost: Type.Integer({ examples: [2000] }),
      expiresAt: Type.Integer({ description: 'In seconds since 1970.', examples: [1_795_943_550] }),
      keyLength: Type.Integer({ examples: [32] }),
      keyPrefix: Hex(16, 'd6b5e829b23c947c5d4add08aede026c'),
      keySignature: Hex(32, '5fa0f9b7b938d27a087520e25dddd3173bd801b298c38fdf47506a94be07f8c8'),
      nonce: Hex(16, '106a8b74902f878b8b4f1bbca6bb7fcd'),
      salt: Hex(16, '44dc7dd49ecb86f89bccffd2a622fe24'),
    }),
    signature: Hex(32, 'c82b5f1424f8260cbc9554227499ac99842e6f07d8e1f142edc010847e442acf'),
  },
  { title: 'Challenge' },
)
export type Challenge = Static<typeof Challenge>

/** The content of `altcha`. */
export const SolvedChallenge = Type.Object({
  challenge: Challenge,
  solution: Type.Object({
    counter: Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }),
    derivedKey: Hex(32, 'd6b5e829b23c947c5d4add08aede026c01bc5a8fcd4204410b6748ee7d50820e'),
  }),
})
export type SolvedChallenge = Static<typeof SolvedChallenge>

/** The field by which a route asks for proof of work (robots.routes.ts). */
export const Altcha = Type.Optional(
  Type.String({
    maxLength: 2048,
    description:
      'A solved challenge of `/auth/challenge` in base64, where `auth.robots` is `proof_of_work`. Keys of service accounts need none.',
    examples: ['eyJjaGFsbGVuZ2UiOnt9LCJzb2x1dGlvbiI6e319'],
  }),
)

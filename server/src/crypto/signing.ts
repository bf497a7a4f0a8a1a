import { sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { SigningKey } from './keys.ts'

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

const signInThread = promisify(sign)

/** A compact JWS. Only RSA takes long enough for a thread: other algorithms take less time than the switch to it. */
export const signed = async (
  { kid, alg, key }: SigningKey,
  typ: string,
  payload: object,
): Promise<string> => {
  const text = `${encoded({ alg, kid, typ })}.${encoded(payload)}`
  const hash = alg === 'EdDSA' ? null : 'sha256'
  const options = { key, dsaEncoding: 'ieee-p1363' } as const
  const signature =
    alg === 'RS256'
      ? await signInThread(hash, Buffer.from(text), options)
      : sign(hash, Buffer.from(text), options)
  return `${text}.${signature.toString('base64url')}`
}

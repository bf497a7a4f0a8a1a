/** Signatures and ids of deliveries by Standard Webhooks (https://www.standardwebhooks.com). */
import { createHmac, randomBytes } from 'node:crypto'
import { sha256 } from '../../../crypto/sha256.ts'

const prefix = 'whsec_'
const secretBytes = 32

export const newSecret = (): string => prefix + randomBytes(secretBytes).toString('base64')

/** The id of a delivery. Every attempt and replay of a record has the same id, and other records have other ids. */
export const messageId = (digest: Buffer): string => `msg_${digest.toString('base64url')}`

/** The digest of an event without an audit record. */
export const digestOf = (...parts: (string | number)[]): Buffer => sha256(parts.join(' '))

const signatureOf = (content: string, secret: string): string => {
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

export interface Message {
  id: string
  /** In Unix seconds. */
  timestamp: string
  body: string
}

/** One signature per secret. */
export const signaturesOf = ({ id, timestamp, body }: Message, secrets: string[]): string =>
  secrets.map((secret) => signatureOf(`${id}.${timestamp}.${body}`, secret)).join(' ')

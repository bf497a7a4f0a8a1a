import { createHash } from 'node:crypto'

/** The hash of a random token, code or challenge. The service stores the hash and never the text. */
export const sha256 = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest()

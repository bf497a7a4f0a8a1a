import { createHash } from 'node:crypto'

/** The service stores this hash of a random token, code or challenge, and never the text itself. */
export const sha256 = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest()

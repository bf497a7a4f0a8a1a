import { createHash } from 'node:crypto'

/** A token, code or challenge of random bytes is stored as this hash, and never itself. */
export const sha256 = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest()

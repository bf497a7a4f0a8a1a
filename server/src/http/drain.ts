import type { IncomingMessage } from 'node:http'

const drainBytesMax = 1_048_576
const drainMs = 1000

/**
 * Discards the rest of a refused body, up to 1 MiB or one second. Closing the connection earlier, while the client
 * still sends, would lose the answer.
 */
export const drainBody = (body: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let left = drainBytesMax
    const finish = () => {
      clearTimeout(timer)
      body.off('data', count).off('end', finish).off('close', finish)
      resolve()
    }
    const count = (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) finish()
    }
    const timer = setTimeout(finish, drainMs)
    if (body.readableEnded || body.destroyed) finish()
    else body.on('data', count).on('end', finish).on('close', finish).resume()
  })

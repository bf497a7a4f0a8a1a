/** Clients of the live stream, without a parser: they count what the bench looks for. */
import { get, type IncomingMessage } from 'node:http'
import { api } from '../service.ts'

/** One open stream. */
export interface Client {
  /** Resolves with the moment at which the named event arrived. */
  next(event: string): Promise<number>
  close(): void
}

const follow = (response: IncomingMessage): Client => {
  const waiting = new Map<string, (moment: number) => void>()
  response.setEncoding('utf8')
  response.on('data', (text: string) => {
    for (const [event, found] of waiting) {
      if (!text.includes(`event: ${event}\n`)) continue
      waiting.delete(event)
      found(performance.now())
    }
  })
  response.on('error', () => {})
  return {
    next: (event) => new Promise((resolve) => waiting.set(event, resolve)),
    close: () => void response.destroy(),
  }
}

/** Opens a stream. Rejects when it is refused. */
export const openClient = (url: string, token: string): Promise<Client> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const request = get(`${url}${api}/events/stream`, { headers, agent: false }, (response) => {
      if (response.statusCode === 200) resolve(follow(response))
      else reject(new Error(`a stream was refused with ${response.statusCode}`))
    })
    request.on('error', reject)
  })

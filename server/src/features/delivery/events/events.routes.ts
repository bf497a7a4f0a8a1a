import type { App } from '../../../http/app-type.ts'
import { readTokenEnd } from '../../../http/authenticate.ts'
import { openEventStream } from '../../../http/event-stream.ts'
import { StreamEvent, StreamHeaders, StreamQuery } from './events.schemas.ts'
import type { Streams } from './streams.service.ts'

/** This route answers a stream without the envelope. */
export const eventRoutes = (app: App, streams: Streams): void => {
  app.get(
    '/events/stream',
    {
      config: { allow: 'caller', support: 'view', isEndless: true },
      schema: {
        operationId: 'streamEvents',
        tags: ['events'],
        summary: 'Hear what happens, as Server-Sent Events',
        description:
          'Own notifications, changes of authority, and with `audit:read` the sealed records of the tenant in scope. ' +
          'Each event has a name, JSON data, and only `change` an id. The stream begins with its place, as an id without data. ' +
          'A comment comes every 20 s.',
        querystring: StreamQuery,
        headers: StreamHeaders,
        response: {
          200: { description: 'Success', content: { 'text/event-stream': { schema: StreamEvent } } },
        },
      },
    },
    async (request, reply) => {
      const { ctx, query, headers } = request
      const endsAt = await readTokenEnd(request)
      const wish = {
        receivesAllTenants: query.all_tenants ?? false,
        lastEventId: headers['last-event-id'],
        endsAt,
      }
      streams.open(ctx, wish, () => openEventStream(request, reply))
      return reply as never
    },
  )
}

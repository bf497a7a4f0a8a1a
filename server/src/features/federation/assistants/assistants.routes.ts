import type { App } from '../../../http/app-type.ts'
import { protocolHeadersOf, resourceMetadataPath, sendWebAnswer } from '../../../http/mcp-answers.ts'
import { ResourceMetadata } from './assistants.schemas.ts'
import type { AnswerAssistant } from './protocol.service.ts'
import { getResourceMetadata } from './resource-metadata.service.ts'

/** The metadata by which an assistant finds the authorization server (RFC 9728). */
export const resourceMetadataRoutes = (app: App): void => {
  app.get(
    resourceMetadataPath,
    { schema: { hide: true, response: { 200: ResourceMetadata } } },
    async ({ ctx }) => getResourceMetadata(ctx),
  )
}

/** The protocol has its own description, so the routes stand in no other. */
export const assistantRoutes = (app: App, answer: AnswerAssistant): void => {
  app.post('/mcp', { schema: { hide: true } }, ({ ctx, headers, body }, reply) =>
    sendWebAnswer(reply, answer(ctx, { headers: protocolHeadersOf(headers), body })),
  )
}

import type { FastifyReply } from 'fastify'
import { Type } from '../../../values/type.ts'
import type { AnswerPages } from '../../../http/answer-pages.ts'
import type { App } from '../../../http/app-type.ts'
import { UuidParams } from '../../../http/schemas.ts'
import { getOurMetadata, receiveSaml, type PostedResult } from './saml.service.ts'

const base = '/sso/saml/:id'

/** The form of the POST binding. The service ignores RelayState. */
const PostedResponse = Type.Object({ SAMLResponse: Type.String() })

type Received = Exclude<PostedResult, { kind: 'refused' }>

const send = (reply: FastifyReply, id: string, received: Received): FastifyReply => {
  if (received.kind === 'unsolicited') return reply.redirect(received.home, 303)
  // The provider's page posts without the service's cookies. The next request has them.
  return reply.redirect(`/sso/saml/${id}/answer?handle=${received.handle}`, 303)
}

/** A response of 256 KiB in base64, with some characters escaped. */
export const samlFormBytesMax = 400 * 1024

/** The addresses that a SAML provider needs. */
export const samlRoutes = (app: App, { sendFault }: AnswerPages): void => {
  app.get(
    `${base}/metadata`,
    { schema: { hide: true, params: UuidParams } },
    async ({ ctx, params }, reply) =>
      reply.type('application/samlmetadata+xml').send(await getOurMetadata(ctx, params.id)),
  )
  app.post(
    `${base}/acs`,
    { schema: { hide: true, params: UuidParams, body: PostedResponse } },
    async ({ ctx, params, body }, reply) => {
      const received = await receiveSaml(ctx, params.id, body.SAMLResponse)
      return received.kind === 'refused' ? sendFault(reply, 'sso') : send(reply, params.id, received)
    },
  )
}

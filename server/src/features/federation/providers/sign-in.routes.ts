import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerPages } from '../../../http/answer-pages.ts'
import type { App } from '../../../http/app-type.ts'
import { cookiesOf, setBrowserCookie } from '../../../http/browser-cookies.ts'
import { Type } from '../../../values/type.ts'
import {
  keepProviderAnswer,
  takeProviderAnswer,
  type ProviderAnswer,
  type Providers,
} from './answers.service.ts'

const path = '/sso/providers/:slug/callback'

const SlugParams = Type.Object({ slug: Type.String({ maxLength: 32 }) })

const PostedAnswer = Type.Partial(
  Type.Object({
    code: Type.String({ maxLength: 4096 }),
    state: Type.String({ maxLength: 128 }),
    error: Type.String({ maxLength: 256 }),
    iss: Type.String({ maxLength: 1024 }),
    user: Type.String({ maxLength: 4096 }),
  }),
)

const resumeOf = (interactionId: string): string => `/oauth2/resume/${interactionId}`

/** The page of one's own account. */
const ownPage = '/account/sign-in'

interface Landing {
  request: FastifyRequest
  reply: FastifyReply
  pages: AnswerPages
}

const land = async ({ request, reply, pages }: Landing, result: ProviderAnswer): Promise<FastifyReply> => {
  if (result.kind === 'over') return pages.sendFault(reply, 'sso')
  if (result.kind === 'refused') {
    return pages.sendRefusal(reply, 'provider', {
      number: result.number,
      path: resumeOf(result.interactionId),
    })
  }
  if (result.kind === 'tested') return reply.redirect(result.page, 303)
  if (result.kind === 'added') return reply.redirect(ownPage, 303)
  if (result.kind === 'not_added') {
    return pages.sendRefusal(reply, 'provider', { number: result.number, path: ownPage })
  }
  if (result.cookie !== undefined) setBrowserCookie(request, reply, 'signIn', result.cookie)
  return reply.redirect(resumeOf(result.interactionId), 303)
}

/** The addresses to which providers send the browsers of people. */
export const providerAnswerRoutes = (app: App, providers: Providers, pages: AnswerPages): void => {
  app.get(path, { schema: { hide: true, params: SlugParams } }, async (request, reply) => {
    const answer = new URL(request.url, 'http://localhost').searchParams
    const taken = { slug: request.params.slug, answer }
    const result = await takeProviderAnswer(providers, request.ctx, taken, cookiesOf(request))
    return land({ request, reply, pages }, result)
  })
  app.post(
    path,
    { schema: { hide: true, params: SlugParams, body: PostedAnswer } },
    async ({ ctx, params: { slug }, body }, reply) => {
      const handle = await keepProviderAnswer(ctx, slug, body)
      if (handle === undefined) return pages.sendFault(reply, 'sso')
      // The provider's page posts without the service's cookies. The next request has them.
      return reply.redirect(`/sso/providers/${slug}/callback?handle=${handle}`, 303)
    },
  )
}

import type { FastifyRequest } from 'fastify'
import type { App } from '../../../http/app-type.ts'
import { readKeyActor, type ResolveCaller } from '../../../http/authenticate.ts'
import { Challenge } from './robots.schemas.ts'
import { createChallenge, readRobots, requireWork } from './robots.service.ts'

export const robotsRoutes = (app: App): void => {
  app.get(
    '/auth/challenge',
    {
      config: { fails: ['secretsOff'] },
      schema: {
        operationId: 'getChallenge',
        tags: ['auth'],
        summary: 'Get a challenge for proof of work',
        description:
          'Solve it with a library of ALTCHA, and send the base64 of `{ challenge, solution }` as `altcha`. It lives 10 minutes and counts once.',
        response: { 200: Challenge },
      },
    },
    ({ ctx }) => createChallenge(ctx),
  )
}

const hasField = (body: unknown, name: string): boolean =>
  Object.hasOwn((body as { properties?: object } | undefined)?.properties ?? {}, name)

/**
 * Lets every route of the scope whose body has `altcha` need it, before its handler runs. Keys of service accounts are
 * exempt.
 */
export const useProofOfWork = (app: App, resolve: ResolveCaller): void => {
  const requireSolved = async (request: FastifyRequest): Promise<void> => {
    if ((await readRobots(request.ctx)) === 'off') return
    if (await readKeyActor(request, resolve)) return
    await requireWork(request.ctx, (request.body as { altcha?: string }).altcha)
  }
  app.addHook('onRoute', (route) => {
    const body = route.schema?.body
    if (!hasField(body, 'altcha')) return
    // A request that gives the mailed code asks for no e-mail.
    const takesCode = hasField(body, 'code')
    route.preHandler = async (request) => {
      const givesCode = takesCode && (request.body as { code?: string }).code !== undefined
      if (!givesCode) await requireSolved(request)
    }
  })
}

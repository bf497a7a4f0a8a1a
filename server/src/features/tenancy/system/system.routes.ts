import { Type } from '../../../values/type.ts'
import type { App } from '../../../http/app-type.ts'
import { Failure } from '../../../http/failures.ts'
import { Health, Liveness, Readiness, UpgradeAnswer, VersionAnswer } from './system.schemas.ts'
import {
  getHealth,
  getLiveness,
  getReadiness,
  getUpgradeStatus,
  getVersion,
  type PingStores,
} from './system.service.ts'

const tags = ['system']

/** Answers with the fields at the top level, and again in the envelope. */
const bothWays = <T extends object>(traceId: string, data: T) => ({
  ...data,
  code: 0,
  message: 'success',
  data,
  trace_id: traceId,
})

/** Probes: they answer bare objects, need no authentication, and also answer HEAD. */
export const probeRoutes = (app: App, pingStores: PingStores): void => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/health',
    schema: {
      operationId: 'getHealth',
      tags,
      summary: 'Tell how the process and its stores are',
      response: { 200: Health, 400: Failure },
    },
    handler: ({ ctx }) => getHealth(ctx, pingStores),
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/healthz',
    schema: {
      operationId: 'getLiveness',
      tags,
      summary: 'Tell that the process is alive',
      response: { 200: Liveness, 400: Failure },
    },
    handler: async ({ ctx }) => getLiveness(ctx),
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/readyz',
    schema: {
      operationId: 'getReadiness',
      tags,
      summary: 'Tell whether requests can be served',
      response: { 200: Readiness, 400: Failure, 503: Readiness },
    },
    handler: async ({ ctx }, reply) => {
      const readiness = await getReadiness(ctx, pingStores)
      return reply.code(readiness.status === 'ready' ? 200 : 503).send(readiness)
    },
  })
}

export const versionRoutes = (app: App): void => {
  app.get(
    '/api/version',
    {
      schema: {
        operationId: 'getVersion',
        tags,
        summary: 'Tell which version runs',
        response: { 200: VersionAnswer, 400: Failure },
      },
    },
    async ({ id, ctx }) => bothWays(id, getVersion(ctx)),
  )
  app.get(
    '/api/upgrade/check',
    {
      schema: {
        operationId: 'checkUpgrade',
        tags,
        summary: 'Tell whether a newer version is known',
        description: 'A reserved interface: it knows the current version only.',
        response: { 200: UpgradeAnswer, 400: Failure },
      },
    },
    async ({ id, ctx }) => bothWays(id, getUpgradeStatus(ctx)),
  )
}

/** Lets a caller check their token and tenant header. */
export const pingRoutes = (app: App): void => {
  app.get(
    '/ping',
    {
      config: { allow: 'caller', support: 'view' },
      schema: {
        operationId: 'ping',
        tags,
        summary: 'Try the authentication and the tenant header',
        response: { 200: Type.String({ examples: ['pong'] }) },
      },
    },
    async () => 'pong',
  )
}

import type { Admit } from './admit.ts'
import type { Caller } from './caller.ts'
import { Refusal } from './refusal.ts'

interface FastifyRequest {
  headers: { authorization?: string | undefined }
  caller?: Caller
}

export interface FastifyReply {
  code(status: number): unknown
  headers(headers: Record<string, string>): unknown
  send(body: unknown): unknown
}

/** For `onRequest` or `preHandler`. */
export type FastifyGuard = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export const fastifyGuard =
  (admit: Admit): FastifyGuard =>
  async (request, reply) => {
    const verdict = await admit(request.headers.authorization)
    if (verdict instanceof Refusal) {
      reply.code(verdict.status)
      reply.headers(verdict.headers)
      return reply.send(verdict.body)
    }
    request.caller = verdict
    return undefined
  }

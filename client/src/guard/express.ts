import type { Admit } from './admit.ts'
import type { Caller } from './caller.ts'
import { Refusal } from './refusal.ts'

interface ExpressRequest {
  headers: { authorization?: string | undefined }
  caller?: Caller
}

export interface ExpressResponse {
  status(code: number): unknown
  set(headers: Record<string, string>): unknown
  json(body: unknown): unknown
}

export type ExpressGuard = (
  request: ExpressRequest,
  response: ExpressResponse,
  next: () => void,
) => Promise<void>

export const expressGuard =
  (admit: Admit): ExpressGuard =>
  async (request, response, next) => {
    const verdict = await admit(request.headers.authorization)
    if (verdict instanceof Refusal) {
      response.status(verdict.status)
      response.set(verdict.headers)
      response.json(verdict.body)
      return
    }
    request.caller = verdict
    next()
  }

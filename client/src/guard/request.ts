import type { Admit } from './admit.ts'
import type { Caller } from './caller.ts'
import { Refusal } from './refusal.ts'

/** Returns the caller of a request, or the response that refuses it. */
export type RequestGuard = (request: Request) => Promise<Caller | Response>

export const requestGuard =
  (admit: Admit): RequestGuard =>
  async (request) => {
    const verdict = await admit(request.headers.get('authorization'))
    return verdict instanceof Refusal
      ? Response.json(verdict.body, { status: verdict.status, headers: verdict.headers })
      : verdict
  }

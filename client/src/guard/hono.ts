import type { Admit } from './admit.ts'
import type { Caller } from './caller.ts'
import { Refusal } from './refusal.ts'

export interface HonoContext {
  req: { header(name: string): string | undefined }
  set(key: 'caller', caller: Caller): void
  json(body: object, status: Refusal['status'] | 200, headers: Record<string, string>): Response
}

/** Handlers read the caller with `c.get('caller')`. */
export type HonoGuard = (context: HonoContext, next: () => Promise<void>) => Promise<Response | undefined>

export const honoGuard =
  (admit: Admit): HonoGuard =>
  async (context, next) => {
    const verdict = await admit(context.req.header('authorization'))
    if (verdict instanceof Refusal) return context.json(verdict.body, verdict.status, verdict.headers)
    context.set('caller', verdict)
    await next()
    return undefined
  }

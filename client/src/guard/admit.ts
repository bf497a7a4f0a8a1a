import { ApiError } from '../client.ts'
import { Refusal } from './refusal.ts'
import type { Claims } from './tokens.ts'

/** The user of an admitted request. */
export interface Caller {
  userId: number
  /** The user's own tenant. */
  tenantId: string
  /** All permissions of the user, for finer questions within the route. */
  permissions: readonly string[]
}

/** Decides about a request by its header Authorization. Never rejects. */
export type Admit = (authorization: string | null | undefined) => Promise<Caller | Refusal>

export interface Sources {
  verify: (token: string) => Promise<Claims>
  permissionsOf: (claims: Claims) => Promise<readonly string[]>
  isKnown: (code: string) => Promise<boolean>
  log: (message: string) => void
}

/** While Tenantry is away, the log gets one line in this time. */
const complaintMs = 30_000

const tokenIn = (authorization: string | null | undefined): string => {
  const [, token] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  if (token === undefined) throw new Refusal('tokenMissing', 'The bearer token is missing')
  return token
}

/** Builds the decision for one permission code from its sources. Any error but a `Refusal` becomes 503: it never fails open. */
export const createAdmitting = ({ verify, permissionsOf, isKnown, log }: Sources) => {
  let complainedAt = -Infinity

  const complain = (err: unknown): void => {
    const now = performance.now()
    if (now - complainedAt < complaintMs) return
    complainedAt = now
    const { status, reason } = err instanceof ApiError ? err : { status: 0, reason: String(err) }
    const refused = status === 401 || status === 403 ? 'refuses the key' : 'gives no answer'
    log(`Tenantry ${refused} (${reason}): protected routes answer 503`)
  }

  const decide = async (code: string, authorization: string | null | undefined): Promise<Caller> => {
    const claims = await verify(tokenIn(authorization))
    if (!(await isKnown(code))) throw new Refusal('permissionUnknown', `Tenantry has no permission ${code}`)
    const permissions = await permissionsOf(claims)
    if (!permissions.includes(code)) throw new Refusal('permissionMissing', `You lack the permission ${code}`)
    return { userId: claims.userId, tenantId: claims.tenantId, permissions }
  }

  return (code: string): Admit => {
    // At the start: a misspelt code is in the log before the first request. A request asks again where no answer came.
    isKnown(code).catch(complain)
    return (authorization) =>
      decide(code, authorization).catch((err: unknown) => {
        if (err instanceof Refusal) return err
        complain(err)
        const { retryAfterSeconds } = err instanceof ApiError ? err : {}
        return new Refusal('unavailable', 'Permissions cannot be checked at the moment', retryAfterSeconds)
      })
  }
}

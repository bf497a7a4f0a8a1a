import { ApiError } from '../client.ts'
import type { Caller, Callers } from './caller.ts'
import type { Need } from './needs.ts'
import type { SessionPermissions } from './permissions.ts'
import { Refusal } from './refusal.ts'
import type { Claims } from './tokens.ts'

/** Decides on a request by its Authorization header. Never rejects. */
export type Admit = (authorization: string | null | undefined) => Promise<Caller | Refusal>

export interface Sources {
  verify: (token: string) => Promise<Claims>
  permissionsOf: (claims: Claims) => Promise<SessionPermissions>
  callerOf: Callers['of']
  isKnown: (code: string) => Promise<boolean>
  /** Added to every WWW-Authenticate challenge. */
  challenge: readonly string[]
  log: (message: string) => void
}

/** The log gets at most one line per this time while Tenantry does not answer. */
const complaintMs = 30_000

const tokenIn = (authorization: string | null | undefined): string => {
  const [, token] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  if (token === undefined) throw new Refusal('tokenMissing', 'The bearer token is missing')
  return token
}

/** Only scope tokens of RFC 6749 may enter the header: any other text would break its syntax. */
const isScope = (code: string): boolean => /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(code)

const scopeOf = ({ codes }: Need): string[] => {
  const scopes = codes.filter(isScope)
  return scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]
}

const requireMet = ({ lacking }: Need, { isEnabled, permissions }: SessionPermissions): void => {
  const missing = lacking(permissions) ?? (isEnabled ? undefined : 'Your organization is disabled')
  if (missing !== undefined) throw new Refusal('permissionMissing', missing)
}

/** Builds the decision of a route. Any error but a `Refusal` becomes 503, so the guard never fails open. */
export const createAdmitting = (sources: Sources) => {
  const { verify, permissionsOf, callerOf, isKnown, challenge, log } = sources
  let complainedAt = -Infinity

  const complain = (err: unknown): void => {
    const now = performance.now()
    if (now - complainedAt < complaintMs) return
    complainedAt = now
    const { status, reason } = err instanceof ApiError ? err : { status: 0, reason: String(err) }
    const refused = status === 401 || status === 403 ? 'refuses the key' : 'gives no answer'
    log(`Tenantry ${refused} (${reason}): protected routes answer 503`)
  }

  const requireKnown = async ({ codes }: Need): Promise<void> => {
    const known = await Promise.all(codes.map(isKnown))
    const unknown = codes.find((_code, index) => !known[index])
    if (unknown !== undefined) {
      throw new Refusal('permissionUnknown', `Tenantry has no permission ${unknown}`)
    }
  }

  const decide = async (need: Need, authorization: string | null | undefined): Promise<Caller> => {
    const claims = await verify(tokenIn(authorization))
    await requireKnown(need)
    const held = await permissionsOf(claims)
    requireMet(need, held)
    return callerOf(claims, held)
  }

  const refusalFor = (err: unknown): Refusal => {
    if (err instanceof Refusal) return err
    complain(err)
    const { retryAfterSeconds } = err instanceof ApiError ? err : {}
    return new Refusal('unavailable', 'Permissions cannot be checked at the moment', retryAfterSeconds)
  }

  return (need: Need): Admit => {
    // Asked at the start, so that the log shows a misspelt code before the first request. Requests ask again if it
    // failed.
    for (const code of need.codes) isKnown(code).catch(complain)
    const parameters = [...challenge, ...scopeOf(need)]
    return (authorization) =>
      decide(need, authorization).catch((err: unknown) => refusalFor(err).challengedBy(parameters))
  }
}

/** Plans: a change is rehearsed, shown, and then made exactly once. */
import { randomBytes } from 'node:crypto'
import { approvalNeeded } from '../../../access/approval-wall.ts'
import type { Effect, GatheredRequest } from '../../../access/operations.ts'
import type { Ctx, Parts } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { AppError } from '../../../errors/app-error.ts'
import { inOneSession } from '../../../rehearsal.ts'
import { declareEffects, readEffects, type Effects } from '../../accounts/authz/preview.service.ts'
import { spendOnce } from '../../sign-in/robots/robots.service.ts'
import { changeOf, digestOf } from '../../tenancy/approvals/changes.service.ts'
import {
  findChange,
  newGathering,
  oneAtATime,
  readPolicies,
  rehearseRequest,
  type Look,
  type Replay,
  type RunningRehearsals,
} from '../../tenancy/approvals/rehearsals.service.ts'

/** docs/contract.md, "Assistants". */
const planMs = 600_000

/** The confirmation of a plan: by an argument of the model, or by the person, whom the client asks (decision 0320). */
export type Confirmation = 'argument' | 'person'

/** A request, with the users and roles whose permissions it can change. */
export interface PlannedRequest extends GatheredRequest {
  concerned: { userIds: number[]; roleIds: number[] }
}

/** A change as its rehearsal found it. */
export interface Planned extends Effects {
  effects: Effect[]
  /** The users whom the request would change, and whom the route refuses. */
  refused: number[]
  gives: string[]
  takes: string[]
  needsApproval: boolean
  digest: Buffer
}

const purpose = 'plans of assistants'

const macOf = ({ secrets }: Parts, content: string): string =>
  secrets.mac(content, purpose).toString('base64url')

/** The text of a plan: its random name, its end, who confirms, and the digest of the change. */
export const signPlan = ({ parts }: Ctx, { digest }: Planned, confirmation: Confirmation): string => {
  const endsAt = parts.now().getTime() + planMs
  const name = randomBytes(12).toString('base64url')
  const content = [name, endsAt, confirmation, digest.toString('base64url')].join('.')
  return `${content}.${macOf(parts, content)}`
}

interface Plan {
  endsAt: Date
  digest: string
  hash: Buffer
}

const planDead = () =>
  new AppError(
    'planDead',
    'The plan is unknown, used or older than 10 minutes. Ask for a new one without plan',
  )

/** Throws 400 for a text that is no plan of this installation, or not for this confirmation. */
const readPlan = ({ parts }: Ctx, text: string, confirmation: Confirmation): Plan => {
  const at = text.lastIndexOf('.')
  const content = text.slice(0, at)
  const mac = Buffer.from(text.slice(at + 1), 'base64url')
  if (text.length > 512 || mac.length !== 32 || !parts.secrets.isMac(mac, content, purpose)) throw planDead()
  const [, ends = '', kind, digest = ''] = content.split('.')
  const endsAt = new Date(Number(ends))
  if (kind !== confirmation || endsAt <= parts.now()) throw planDead()
  return { endsAt, digest, hash: sha256(content) }
}

/** Binds the change to the session, the user and the tenant, and to what it gives and takes. */
const digestIn = (
  { actor, tenantId }: Ctx,
  request: GatheredRequest,
  { effects, gains, losses, refused }: Pick<Planned, 'effects' | 'gains' | 'losses' | 'refused'>,
): Buffer =>
  sha256(
    Buffer.concat([
      Buffer.from(`${actor.credential?.kind} ${actor.credential?.id} ${tenantId}\n`),
      Buffer.from(`${JSON.stringify([gains, losses, refused])}\n`),
      digestOf({
        requester: { id: actor.userId, tenantId: actor.tenantId },
        request,
        change: changeOf(request, effects),
      }),
    ]),
  )

/** Throws 400 if the change has a value that records hide: a tool takes no secret. */
const requireNoSecret = (effects: Effect[]): void => {
  const isHidden = effects.some(({ detail }) =>
    Object.values(detail).some((field) => (field as { to?: unknown } | null)?.to === '[secret]'),
  )
  if (isHidden) {
    throw new AppError('invalidInput', 'This takes a secret. The person enters it in the console')
  }
}

const isConcerning = ({ concerned: { userIds, roleIds } }: PlannedRequest): boolean =>
  userIds.length + roleIds.length > 0

const rememberHeld = async (ctx: Ctx, request: PlannedRequest): Promise<void> => {
  if (isConcerning(request)) await declareEffects(ctx, request.concerned)
}

const nobody: Effects = { gains: [], losses: [], affected_users: 0 }

const findEffects = async ({ parts, tenantId }: Ctx, request: PlannedRequest): Promise<Effects> =>
  isConcerning(request) ? parts.store.transaction({ tenantId }, (db) => readEffects(db, tenantId)) : nobody

interface RowResult {
  user_id?: number
  status?: string
}

/** The ids of users in an answer about many users that were refused. */
const refusedIn = (data: unknown): number[] => {
  const { results = [] } = (data ?? {}) as { results?: RowResult[] }
  return results.flatMap(({ user_id: id, status }) => (status === 'refused' && id !== undefined ? [id] : []))
}

type FoundChange = Parameters<Look<unknown>['find']>

const findPlanned = async (
  request: PlannedRequest,
  ...[ctx, policies, gathering, data]: FoundChange
): Promise<Planned & { demand: Awaited<ReturnType<typeof findChange>>['demand'] }> => {
  const { effects } = gathering
  requireNoSecret(effects)
  const found = { effects, refused: refusedIn(data), ...(await findEffects(ctx, request)) }
  const { demand } = await findChange(ctx, policies, gathering)
  const { gives, takes } = changeOf(request, effects)
  const codesOf = (list: Effects['gains']) => list.flatMap(({ permissions }) => permissions)
  return {
    ...found,
    gives: [...new Set([...gives, ...codesOf(found.gains)])].toSorted(),
    takes: [...new Set([...takes, ...codesOf(found.losses)])].toSorted(),
    demand,
    needsApproval: demand !== undefined,
    digest: digestIn(ctx, request, found),
  }
}

/** Makes the change, and rolls it back. Throws its refusal. */
export const planChange = (
  ctx: Ctx,
  { replay, running }: { replay: Replay; running: RunningRehearsals },
  request: PlannedRequest,
): Promise<Planned> =>
  oneAtATime(ctx, running, () =>
    rehearseRequest(ctx, replay, request, {
      before: (within) => rememberHeld(within, request),
      find: (...found) => findPlanned(request, ...found),
    }),
  )

/** The change is no longer the planned one. Carries what it would be now. */
export class PlanOutdated extends Error {
  readonly planned: Planned
  constructor(planned: Planned) {
    super('the plan is outdated')
    this.planned = planned
  }
}

/**
 * Makes a planned change in one transaction, and uses the plan up. Throws `PlanOutdated` if the change would not be the
 * planned one, and 403 if a policy asks for approvals.
 */
export const makePlanned = (
  outer: Ctx,
  replay: Replay,
  request: PlannedRequest,
  { text, confirmation }: { text: string; confirmation: Confirmation },
): Promise<unknown> => {
  const plan = readPlan(outer, text, confirmation)
  return inOneSession(outer, async (ctx) => {
    const policies = await readPolicies(ctx)
    const gathering = newGathering(ctx)
    await rememberHeld(ctx, request)
    const data = await replay({ ...ctx, gathering }, request)
    const planned = await findPlanned(request, ctx, policies, gathering, data)
    if (planned.digest.toString('base64url') !== plan.digest) throw new PlanOutdated(planned)
    if (planned.demand) throw askedInConsole(approvalNeeded(planned.demand))
    if (!(await spendOnce(ctx, plan.hash, plan.endsAt))) throw planDead()
    return data
  })
}

const askedInConsole = ({ data }: AppError) =>
  new AppError('approvalNeeded', 'Others must approve this change. The person asks for it in the console', {
    ...(data && { data }),
  })

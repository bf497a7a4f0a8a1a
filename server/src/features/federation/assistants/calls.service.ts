/** Calls of tools: reads are answered, changes are planned and then made. */
import { permissionsOf, assistantScopes, readScope } from '../../../access/assistant-scopes.ts'
import type { Actor } from '../../../access/actor.ts'
import { inTenant, type Ctx } from '../../../context.ts'
import { AppError, errorCodes, invalid } from '../../../errors/app-error.ts'
import { RouteRefusal } from '../../../errors/route-refusal.ts'
import type { Replay, RunningRehearsals } from '../../tenancy/approvals/rehearsals.service.ts'
import type { BoundAction, BoundTool } from './definitions.ts'
import {
  makePlanned,
  planChange,
  PlanOutdated,
  signPlan,
  type Confirmation,
  type Planned,
  type PlannedRequest,
} from './plans.service.ts'
import { answerOf, requestOf, type Arguments } from './requests.ts'
import { clean, cleanText, visible } from './untrusted.ts'

/** The parts that calls share, besides the context of their request. */
export interface Assistants {
  tools: ReadonlyMap<string, BoundTool>
  replay: Replay
  running: RunningRehearsals
  /** The meaning of an error code. */
  meaningOf: (code: number) => string
  /** Throws 403 for a change of one of Tenantry's own settings. */
  isOwnSetting: (key: string) => boolean
}

export interface Call {
  tool: BoundTool
  action: BoundAction
  args: Arguments
}

/** The answer of a call: a result, a plan that waits for a confirmation, or a refusal. */
export type Outcome =
  | { kind: 'result'; content: Record<string, unknown> }
  | { kind: 'plan'; content: Record<string, unknown>; text: string; sentence: string }
  | { kind: 'refusal'; content: Record<string, unknown> }

/** Finds the tool and the action of a call. Undefined for a tool that does not exist. Throws 400 for another action. */
export const findCall = ({ tools }: Assistants, name: string, args: Arguments): Call | undefined => {
  const tool = tools.get(name)
  if (!tool) return undefined
  const [first = ''] = tool.actions.keys()
  const wanted = args['action'] ?? (tool.plan.isWriting ? undefined : first)
  const action = typeof wanted === 'string' ? tool.actions.get(wanted) : undefined
  if (!action) throw invalid('action', `must be one of ${[...tool.actions.keys()].join(', ')}`)
  return { tool, action, args }
}

/** The scopes of a session, as it could ask for them again. */
const scopesOf = (codes: readonly string[]): string[] => {
  const readsAll = permissionsOf([readScope]).every((code) => codes.includes(code))
  const single = codes.filter((code) => assistantScopes.includes(code))
  return readsAll ? [readScope, ...single.filter((code) => !code.endsWith(':read'))] : single
}

const isElsewhere = ({ tenantId }: Actor, { tenant }: Arguments): boolean =>
  typeof tenant === 'string' && tenant !== '' && tenant.toLowerCase() !== tenantId

/** All scopes that the session needs for the call, if it lacks one. A key has no scopes. */
export const missingScopes = (actor: Actor, call: Call): string[] | undefined => {
  const codes = actor.application?.narrowedTo
  if (codes === undefined) return undefined
  const needed = [...call.action.needs, ...(isElsewhere(actor, call.args) ? ['tenant:enter'] : [])]
  const missing = needed.filter((code) => !codes.includes(code))
  return missing.length === 0 ? undefined : [...new Set([...scopesOf(codes), ...needed])]
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const inNamedTenant = (ctx: Ctx, { tenant }: Arguments): Ctx => {
  if (tenant === undefined || tenant === '') return ctx
  if (typeof tenant !== 'string' || !uuid.test(tenant)) {
    throw invalid('tenant', 'must be the id of an organization')
  }
  return inTenant(ctx, tenant.toLowerCase())
}

const shownChangesMax = 20

const namedMax = 5
const momentPattern = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/

/** True for ids, numbers, moments, and the address of an invitation: a sentence has no other value. */
const isNamed = ({ arguments: known }: BoundAction, name: string, value: unknown): boolean => {
  if (known[name]?.place === 'path' || /^(?:tenant|email|\w+_ids?)$/.test(name)) return true
  if (typeof value === 'string') return momentPattern.test(value)
  return typeof value === 'number' || typeof value === 'boolean' || value === null
}

const listed = (all: string[], max = namedMax): string => {
  const more = all.length - max
  return [...all.slice(0, max), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

const shownIdsMax = 20
/** More than the longest e-mail. */
const shownValueMax = 256

const shownValue = (value: unknown): string => {
  const all = [value ?? []].flat().map((one: unknown) => {
    const text = typeof one === 'string' ? one : JSON.stringify(one)
    return visible(text).slice(0, shownValueMax)
  })
  return listed(all, shownIdsMax) || 'none'
}

const people = (count: number): string => (count === 1 ? 'one user' : `${count} users`)

/** The gains and losses, or what an invitation or a role would give to future users. */
const givingOf = ({ gives, takes, affected_users: affected }: Planned): string[] => [
  ...(affected > 0 ? [`affects ${people(affected)}`] : []),
  gives.length > 0 ? `gives ${listed(gives)}` : 'gives no permission',
  ...(takes.length > 0 ? [`takes ${listed(takes)}`] : []),
]

/**
 * The sentence that a person agrees to, without names and other texts of strangers. Only arguments of the action are in
 * it: the model chooses the names of others.
 */
const sentenceOf = ({ action, args }: Call, planned: Planned): string => {
  const { effects, refused } = planned
  const values = ['tenant', ...Object.keys(action.arguments)].flatMap((name) => {
    const value = args[name]
    return value !== undefined && isNamed(action, name, value) ? [`${name} ${shownValue(value)}`] : []
  })
  const about = values.length > 0 ? ` (${values.join('; ')})` : ''
  const ids = listed(refused.map(String), shownIdsMax)
  const refusing = refused.length > 0 ? [`${people(refused.length)} refused (${ids})`] : []
  // A retry of a change that was made, for example.
  if (effects.length === 0) {
    return `${action.summary}${about}: ${['nothing changes', ...refusing].join(', ')}.`
  }
  const count = effects.length === 1 ? 'one record' : `${effects.length} records`
  return `${action.summary}${about}: ${[count, ...refusing, ...givingOf(planned)].join(', ')}.`
}

const describePlan = (call: Call, planned: Planned, plan: string | undefined) => {
  const { effects, gives, takes, gains, losses, refused, affected_users, needsApproval } = planned
  return {
    status: 'planned',
    ...(plan !== undefined && { plan }),
    sentence: sentenceOf(call, planned),
    gives,
    takes,
    gains: clean(gains.slice(0, shownChangesMax)),
    losses: clean(losses.slice(0, shownChangesMax)),
    affected_users,
    refused,
    changes: clean(
      effects.slice(0, shownChangesMax).map(({ action, resourceId, aboutUserId, detail }) => ({
        action,
        resource_id: resourceId,
        about_user_id: aboutUserId,
        detail,
      })),
    ),
    count: effects.length,
    needs_approval: needsApproval,
  }
}

const planned = (ctx: Ctx, call: Call, found: Planned, confirmation: Confirmation): Outcome => {
  const text = signPlan(ctx, found, confirmation)
  // The person answers in the client: the model gets no plan that it could send by itself.
  const content = describePlan(call, found, confirmation === 'argument' ? text : undefined)
  return { kind: 'plan', content, text, sentence: content.sentence }
}

/** Tenantry's own settings decide how people sign in, and how mails look: no tool changes them. */
const requireOpenSetting = ({ isOwnSetting }: Assistants, { action, args }: Call): void => {
  const { key } = args
  if (action.path.startsWith('/settings/') && typeof key === 'string' && isOwnSetting(key)) {
    throw new AppError(
      'permissionMissing',
      'This is a setting of the service itself. The person changes it in the console',
    )
  }
}

/** The most users of one request. */
const concernedMax = 100

const idsIn = (...values: unknown[]): number[] =>
  values
    .flat()
    .slice(0, concernedMax)
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)

/** The users and roles whose permissions the call can change. A user is named before the role of the user. */
const concernedBy = ({ tool, args }: Call): PlannedRequest['concerned'] => {
  const { user_id: userId, user_ids: userIds, role_id: roleId } = args
  if (tool.name !== 'change_users' && tool.name !== 'change_roles') return { userIds: [], roleIds: [] }
  const users = idsIn(userId ?? [], userIds ?? [])
  return { userIds: users, roleIds: users.length > 0 ? [] : idsIn(roleId ?? []) }
}

export interface Confirmed {
  /** The text of the plan, if the call carries one. */
  text: string | undefined
  confirmation: Confirmation
}

const change = async (
  ctx: Ctx,
  assistants: Assistants,
  call: Call,
  { text, confirmation }: Confirmed,
): Promise<Outcome> => {
  requireOpenSetting(assistants, call)
  const request = { ...requestOf(call.action, call.args), concerned: concernedBy(call) }
  if (text === undefined) {
    return planned(ctx, call, await planChange(ctx, assistants, request), confirmation)
  }
  try {
    const data = await makePlanned(ctx, assistants.replay, request, { text, confirmation })
    return { kind: 'result', content: { status: 'done', result: clean(data) } }
  } catch (err) {
    if (!(err instanceof PlanOutdated)) throw err
    const next = planned(ctx, call, err.planned, confirmation)
    const message = 'This is another change than the planned one. Show the new plan to the person'
    return { kind: 'refusal', content: { message, ...next.content } }
  }
}

/** Runs a call. Throws the refusal of its route. */
export const runCall = async (
  outer: Ctx,
  assistants: Assistants,
  call: Call,
  confirmed: Confirmed,
): Promise<Outcome> => {
  const ctx = inNamedTenant(outer, call.args)
  if (call.tool.plan.isWriting) return change(ctx, assistants, call, confirmed)
  const data = await assistants.replay(ctx, requestOf(call.action, call.args))
  return { kind: 'result', content: answerOf(call.action, call.args, data) }
}

/** The codes of refusals that the person may not get, because the session has fewer permissions. */
const narrowCodes: ReadonlySet<number> = new Set([
  errorCodes.permissionMissing,
  errorCodes.grantExceedsOwn,
  errorCodes.targetOutranksCaller,
])

const inConsole =
  'This session holds less than its person: no consent covers permissions of the product. If the person may do this, they do it in the console'

const advised = ({ application }: Actor, code: number) =>
  application?.narrowedTo !== undefined && narrowCodes.has(code) ? { what_to_do: inConsole } : {}

/**
 * A refusal for a model: the code, the message and what to do. The text of a route can hold what somebody typed, so it
 * stands in `untrusted`, beside the meaning of its code.
 */
export const refusalOf = (
  actor: Actor,
  err: AppError,
  meaningOf: (code: number) => string,
): Record<string, unknown> => {
  const { code, message, fields, retryAfterSeconds, data } = err
  const after = retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }
  if (err instanceof RouteRefusal) {
    const untrusted = { message: cleanText(message), ...(data && { data: clean(data) }) }
    return { code, message: meaningOf(code), ...advised(actor, code), ...after, untrusted }
  }
  return {
    code,
    message: visible(message),
    ...(fields && {
      fields: fields.map(({ field, message: fault }) => ({ field, message: visible(fault) })),
    }),
    ...after,
    ...(data && { data: clean(data) }),
  }
}

/** The one place that judges and hashes a new password. */
import { createHash } from 'node:crypto'
import type { CallerlessCtx } from '../../../context.ts'
import { AppError, type FieldError } from '../../../errors/app-error.ts'
import type { StoredPassword } from '../../../crypto/passwords.ts'
import { selectTenantId } from '../../../access/tenancy.store.ts'
import { productOf } from '../../../mail/brand.ts'
import { readBrand } from '../mail/brand.service.ts'
import { isCommon, isPersonal } from './guessable.ts'
import type { PasswordRules } from './passwords.schemas.ts'
import { passwordSetting, rulesIn } from './passwords.settings.ts'
import * as store from './passwords.store.ts'

/** The person of a new password. */
export interface Chooser {
  /** The account, unless it is new. All its tenants count. */
  accountId?: number | undefined
  /** The tenant that the person is about to join. */
  tenantId?: string | undefined
  /** Names and addresses that no tenant has yet. */
  names?: string[]
}

const readTenant = ({ parts }: CallerlessCtx, tenantId: string) =>
  store.selectTenant(parts.store.scoped({ tenantId }), tenantId, passwordSetting.key)

/** The tenants of an account, and the names of its person there. */
const readAccount = async ({ parts }: CallerlessCtx, accountId: number) => {
  const [account, members] = await Promise.all([
    store.selectEmail(parts.store.scoped({}), accountId),
    store.selectMembers(parts.store.scoped({ accountId }), accountId, passwordSetting.key),
  ])
  const names = members.flatMap(({ username, nickname }) => [username, nickname])
  return { tenants: members, names: [account?.email ?? '', ...names] }
}

const readGlobal = async ({ parts }: CallerlessCtx): Promise<unknown> =>
  (await store.selectGlobal(parts.store.scoped({}), passwordSetting.key))?.value

/** The rules of the installation; with the id or slug of a tenant, those of the tenant. */
export const readPasswordRules = async (ctx: CallerlessCtx, named = ''): Promise<PasswordRules> => {
  const db = ctx.parts.store.scoped({})
  const found = named === '' ? undefined : await selectTenantId(db, named.toLowerCase())
  const [value, tenant] = await Promise.all([readGlobal(ctx), found && readTenant(ctx, found.id)])
  return rulesIn([value, tenant?.value])
}

const localPartsOf = (names: string[]): string[] =>
  names.filter((name) => name.includes('@')).map((name) => name.slice(0, name.lastIndexOf('@')))

/** The strictest rules for a person, and the names that a password may not be. */
const readDemands = async (ctx: CallerlessCtx, { accountId, tenantId, names = [] }: Chooser) => {
  const [value, brand, account, joined] = await Promise.all([
    readGlobal(ctx),
    readBrand(ctx.parts.store.scoped({})),
    accountId === undefined ? { tenants: [], names: [] } : readAccount(ctx, accountId),
    tenantId === undefined ? undefined : readTenant(ctx, tenantId),
  ])
  const tenants = joined ? [...account.tenants, joined] : account.tenants
  const own = [...names, ...account.names]
  return {
    rules: rulesIn([value, ...tenants.map((tenant) => tenant.value)]),
    names: [
      productOf(brand),
      ...own,
      ...localPartsOf(own),
      ...tenants.flatMap(({ name, slug }) => [name, slug]),
    ],
  }
}

const reasons = {
  too_short: ({ min_length: min }: PasswordRules) => `must have at least ${min} characters`,
  common: () => 'is one of the passwords that many people choose',
  personal: () => 'is a name or an address of yours, of your organization or of the product',
  breached: () => 'is in a list of passwords that were stolen elsewhere',
}
type Reason = keyof typeof reasons

type Demands = Awaited<ReturnType<typeof readDemands>>

/** The reasons that this service finds itself. */
const findOwnFaults = async (password: string, { rules, names }: Demands): Promise<Reason[]> => {
  const found: [Reason, boolean][] = [
    ['too_short', [...password].length < rules.min_length],
    ['common', rules.refuse_common && (await isCommon(password))],
    ['personal', rules.refuse_personal && isPersonal(password, names)],
  ]
  return found.flatMap(([reason, isFault]) => (isFault ? [reason] : []))
}

/** Asks the list of another host last, and never about a password that is refused anyway. */
const findFaults = async (ctx: CallerlessCtx, password: string, demands: Demands): Promise<Reason[]> => {
  const faults = await findOwnFaults(password, demands)
  if (faults.length > 0 || demands.rules.breached === 'off') return faults
  return (await isBreached(ctx, password)) ? ['breached'] : []
}

/** False if the list does not answer: its operator must not decide who can set a password. */
const isBreached = async ({ parts, origin }: CallerlessCtx, password: string): Promise<boolean> => {
  const { metrics, breached, log } = parts
  const hash = createHash('sha1').update(password, 'utf8').digest('hex')
  const { isFound, error } = await breached(hash)
  if (error !== '') log.warn({ trace_id: origin.traceId, error }, 'the list of breached passwords is away')
  metrics.breachedPasswords.inc({ result: error === '' ? (isFound ? 'found' : 'clear') : 'unanswered' })
  return isFound
}

/**
 * Hashes a password that somebody has just chosen. Throws 400 `passwordRefused` if the rules refuse it. `field` names
 * its field in the request. Check the person's proof first, because the rules can ask another host.
 */
export const hashChosen = async (
  ctx: CallerlessCtx,
  { field, password }: { field: string; password: string },
  chooser: Chooser,
): Promise<StoredPassword> => {
  const demands = await readDemands(ctx, chooser)
  const faults = await findFaults(ctx, password, demands)
  const errors = faults.map((reason): FieldError => ({ field, message: reasons[reason](demands.rules) }))
  const [first] = errors
  if (first) {
    throw new AppError('passwordRefused', `${field}: ${first.message}`, { data: { errors, reasons: faults } })
  }
  return ctx.parts.hasher.hash(password)
}

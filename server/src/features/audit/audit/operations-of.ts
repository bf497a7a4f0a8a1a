/** Which operations of approval policies a record means. Every action is in the table, so that a new one must decide. */
import { policyChange, type Operation } from '../../../access/operations.ts'
import type { Action } from './actions.schemas.ts'

/** The part of a change's effect that the action of its record does not name. */
export interface EntryEffect {
  /** The permissions that it gives somebody, and those that it takes. Undefined if it gives or takes none. */
  gives?: string[]
  takes?: string[]
  /** True for a change in all tenants by an action that tenants have too. */
  isEverywhere?: boolean
}

/** The effect of a change from some permissions to others. */
export const effectBetween = (before: string[], after: string[]): EntryEffect => {
  const gives = after.filter((code) => !before.includes(code))
  const takes = before.filter((code) => !after.includes(code))
  return { ...(gives.length > 0 && { gives }), ...(takes.length > 0 && { takes }) }
}

interface Entry {
  action: Action
  resourceId: string | number
  detail: Record<string, unknown>
  effect?: EntryEffect | undefined
}

type Rule = readonly Operation[] | ((entry: Entry) => Operation[])

const none: Rule = []

/** The new value of a changed field. Undefined if the record does not have the field, or the value is the old one. */
const newValue = ({ detail }: Entry, field: string): unknown => {
  const { from, to } = (detail[field] ?? {}) as { from?: unknown; to?: unknown }
  return from === to ? undefined : to
}

const isAuthority = ({ effect }: Entry): Operation[] => [
  ...(effect?.gives ? (['authority.give'] as const) : []),
  ...(effect?.takes ? (['authority.take'] as const) : []),
]

const also =
  (...operations: Operation[]): Rule =>
  (entry) => [...operations, ...isAuthority(entry)]

const onUserUpdate = (entry: Entry): Operation[] => [
  ...(newValue(entry, 'status') === 0 || newValue(entry, 'status_behind') === 0
    ? (['user.disable'] as const)
    : []),
  ...(newValue(entry, 'email') === undefined ? [] : (['user.recover'] as const)),
  ...(newValue(entry, 'sso_exempt') === undefined ? [] : (['sso.change'] as const)),
]

const onSetting = ({ resourceId, effect }: Entry): Operation[] => [
  ...(/^(?:auth|audit)\./.test(String(resourceId)) ? (['setting.security'] as const) : []),
  ...(effect?.isEverywhere ? (['global.change'] as const) : []),
]

const give: Rule = ['authority.give']
const take: Rule = ['authority.take']

/**
 * An action without operations is exempt: sign-ins, the own account, directories, and ends of sessions, keys and
 * consents. Notices, flags and exports change no authority. Some actions are the service's own.
 */
const rules: Record<Action, Rule> = {
  'account.export': none,
  'application.code_reused': none,
  'application.create': ['application.change'],
  'application.delete': ['application.change'],
  'application.register': none,
  'application.secret_create': ['application.change'],
  'application.secret_revoke': none,
  'application.update': ['application.change'],
  'approval.cancel': none,
  'approval.decide': none,
  'approval.request': none,
  'approval_policy.delete': [policyChange],
  'approval_policy.update': [policyChange],
  'attribute.delete': ['catalogue.change'],
  'attribute.update': ['catalogue.change'],
  'audit.expire': none,
  'auth.account_delete': none,
  'auth.break_glass': none,
  'auth.email_change': none,
  'auth.email_request': none,
  'auth.email_verification': none,
  'auth.email_verify': none,
  'auth.leave': none,
  'auth.login': none,
  'auth.login_failed': none,
  'auth.logout': none,
  'auth.other_sessions_end': none,
  'auth.password_change': none,
  'auth.password_removed': none,
  'auth.password_failed': none,
  'auth.password_forgot': none,
  'auth.password_reset': ['user.recover'],
  'auth.refresh_reused': none,
  'auth.register': none,
  'auth.session_end': none,
  'auth.switch': none,
  'broadcast.create': none,
  'broadcast.send': none,
  'connection.activate': also('sso.change'),
  'provider.create': ['application.change'],
  'provider.update': ['application.change'],
  'provider.delete': ['application.change'],
  'provider.activate': ['application.change'],
  'identity.add': none,
  'identity.remove': none,
  'connection.create': also('sso.change'),
  'connection.delete': also('sso.change'),
  'connection.update': also('sso.change'),
  'directory_group.create': none,
  'directory_group.delete': none,
  'directory_group.update': none,
  'directory_user.create': none,
  'directory_user.delete': none,
  'directory_user.update': none,
  'domain.create': ['sso.change'],
  'domain.delete': ['sso.change'],
  'domain.lapse': none,
  'domain.verify': also('sso.change'),
  'elevation.end': none,
  'elevation.start': ['elevation.start'],
  'factor.add': none,
  'factor.begin': none,
  'factor.codes_guessed': none,
  'factor.recovery_codes': none,
  'factor.remove': none,
  'factor.reset': ['user.recover'],
  'flag.create': none,
  'flag.delete': none,
  'flag.override': none,
  'flag.override_remove': none,
  'flag.update': none,
  'grant.create': none,
  'grant.revoke': none,
  'invitation.accept': none,
  'invitation.create': ['authority.give', 'user.create'],
  'invitation.resend': ['authority.give', 'user.create'],
  'invitation.revoke': none,
  'key.rotate': ['global.change'],
  'mail_text.create': ['global.change'],
  'mail_text.delete': ['global.change'],
  'mail_text.update': ['global.change'],
  'notification.create': none,
  'notification.delete': none,
  'permission.create': ['catalogue.change'],
  'permission.delete': ['catalogue.change'],
  'permission.update': ['catalogue.change'],
  'resource.create': ['application.change'],
  'resource.delete': ['application.change'],
  'resource.update': ['application.change'],
  'review.close': none,
  'review.decide': none,
  'review.open': none,
  'role.assign': give,
  'role.change_end': isAuthority,
  'role.create': none,
  'role.delete': take,
  'role.eligible': give,
  'role.expire': none,
  'role.ineligible': take,
  'role.replace_permissions': isAuthority,
  'role.unassign': take,
  'role.update': none,
  'role_template.create': also('catalogue.change'),
  'role_template.delete': also('catalogue.change'),
  'role_template.update': also('catalogue.change'),
  'secret.reset': ['global.change'],
  'secret.rotate': ['global.change'],
  'service_account.create': none,
  'service_account.delete': none,
  'service_account.update': none,
  'service_account_key.create': ['key.create'],
  'service_account_key.delete': none,
  'setting.create': onSetting,
  'setting.delete': onSetting,
  'setting.lock': ['global.change'],
  'setting.revert': onSetting,
  'setting.secret_read': none,
  'setting.unlock': ['global.change'],
  'setting.update': onSetting,
  'setting_definition.delete': ['global.change'],
  'setting_definition.update': ['global.change'],
  'setup_link.create': also('sso.change'),
  'setup_link.open': none,
  'setup_link.revoke': none,
  'sso.link': none,
  'sso.refused': none,
  'sso.unlink': ['sso.change', 'user.recover'],
  'support.allow': none,
  'support.end': none,
  'support.open': none,
  'support.refuse': none,
  'support.request': none,
  'support.start': none,
  'tenant.create': none,
  'tenant.delete': ['tenant.change'],
  'tenant.export': none,
  'tenant.import': none,
  'tenant.limit_near': none,
  'tenant.limit_reached': none,
  'tenant.update': (entry) => (newValue(entry, 'status') === 0 ? ['tenant.change'] : []),
  'user.create': also('user.create'),
  'user.delete': ['user.delete'],
  'user.export': none,
  'user.password_expire': ['user.recover'],
  'user.password_reset': ['user.recover'],
  'user.sessions_end': none,
  'user.update': onUserUpdate,
  'webhook.create': ['webhook.change'],
  'webhook.delete': ['webhook.change'],
  'webhook.disable': none,
  'webhook.replay': none,
  'webhook.resend': none,
  'webhook.rotate_secret': ['webhook.change'],
  'webhook.update': ['webhook.change'],
  'webhook.verify': none,
}

export const operationsOf = (entry: Entry): readonly Operation[] => {
  const rule = rules[entry.action]
  return typeof rule === 'function' ? rule(entry) : rule
}

/** The fields of answers, as the specification lists them. */
import { expect, test } from 'vitest'
import type { ApiDocument, Schema } from './api-document.ts'
import { service } from './harness.ts'

const webhook =
  'id tenant_id url events description status all_tenants created_at disabled_reason backlog last_delivered_at'
const application =
  'id client_id name kind is_third_party status secrets redirect_uris post_logout_redirect_uris backchannel_logout_uri ' +
  'allowed_origins grant_types resource_ids require_mfa session_seconds tenant_ids required_permission tenantry_api logo home_url support_uri created_at updated_at'
const key = 'id name prefix created_by created_at expires_at last_used_at allowed_cidrs'
const tenant = 'id name slug status created_at updated_at'
const user = 'id tenant_id username email nickname avatar status last_login'
const delivery =
  'id event_id event status attempts response_status error created_at next_attempt_at delivered_at'
const notification = 'id tenant_id user_id title content type is_read created_at'

/** The fields of each object; after a bar those that are not always there, as `include` asks for them. */
const specified: Record<string, string> = {
  Application: `${application} | is_registered`,
  Attempt: 'id at outcome reason number subject email claims ip',
  Attribute: 'subject key schema label description group self administrators indexed sensitive claim scim',
  AuditActor: 'id name kind | on_behalf_of',
  AuditLog:
    'id tenant_id user_id action resource resource_id detail ip user_agent trace_id created_at | actor',
  AuthOptions: 'registration sign_up password_reset mail mail_in_files passkeys passwords robots ways',
  Challenge: 'parameters signature',
  CheckAnswer: 'allowed results | actor',
  Connection:
    'id type name status domains jit default_role_ids group_mappings attributes trust_mfa session_seconds application_id scim_account_id ' +
    'created_at updated_at last_used_at callback_url | ' +
    'issuer client_id auth_method scopes subject_claim email_claim name_claim groups_claim ' +
    'metadata metadata_url entity_id sso_url certificates subject email_attribute name_attribute groups_attribute ' +
    'directory_error directory_error_at',
  CreatedApplication: `${application} | secret`,
  CreatedKey: `${key} secret`,
  CreatedSecret: 'id secret',
  CreatedTenant: `${tenant} | invitation`,
  CreatedWebhook: `${webhook} secret`,
  Delivery: delivery,
  DeliveryAttempt: 'at duration_ms response_status error response',
  DeliveryDetails: `${delivery} history request`,
  DeliveryRequest: 'headers body',
  DirectoryGroup: 'id external_id display_name members',
  Discovered: 'connection',
  Domain: 'id domain status record_name record_value verified_at checked_at',
  Effect: 'user_id username permissions',
  Error: 'code message data trace_id',
  Exemption: 'user_id username email has_factor',
  RequirementEffect: 'users sessions',
  Explanation: 'allowed roles reason',
  Factor: 'id type name created_at last_used_at',
  Factors: 'factors recovery_codes_left has_password accepted_passkeys',
  Evaluation: 'key value variant metadata reason',
  Evaluations: 'flags',
  FailedEvaluation: 'key errorCode errorDetails',
  Flag: 'key description type variants enabled off_variant default_variant client_side rules tenants version created_at updated_at',
  FlagCondition: 'attribute op values',
  FlagExplanation: 'variant value reason rule_id bucket salt',
  FlagOverride: 'tenant_id variant',
  FlagRule: 'id description conditions serve split bucket_by',
  FlagShare: 'variant weight',
  Grant: 'id application user_id scopes resource last_used_at created_at',
  AttributeMapping: 'claim key',
  GroupMapping: 'group role_id',
  Health: 'status database cache timestamp trace_id version',
  HeldPermissions: 'user_id tenant_id permissions | is_enabled actor',
  ImportResult: 'status user_id error',
  ImportedUsers: 'results',
  ApprovalPolicy: 'operation approvals permission_codes break_glass',
  Approval:
    'id operations method path body change reason requested_by status approvals decisions digest break_glass created_at expires_at',
  ApprovedChange: 'records gives takes',
  ChangeRecord: 'action resource_id about_user_id detail',
  Decision: 'user approve comment at',
  Elevation: 'id user role reason status started_at ends_at',
  EligibleRole: 'role max_minutes given_by given_at expires_at',
  RoleAssignment: 'id user role source assigned_by assigned_at expires_at',
  DecidedItem: 'id outcome',
  Review: 'id name kinds reviewer_ids due_at status counts created_by created_at closed_at report_sha256',
  ReviewItem:
    'id kind subject what source given_by given_at expires_at last_used_at decision decided_by comment outcome',
  Invitation:
    'id tenant_id email role_ids roles_expire_at nickname invited_by status created_at expires_at link',
  InvitationFound: 'tenant email account_exists | nickname proof',
  Key: key,
  ListedTenant: `${tenant} | attributes figures`,
  ListedUser: `${user} | roles created_at person attributes`,
  ListedRole: 'id tenant_id name description is_system permissions | holders',
  Liveness: 'status',
  Manifest: 'version min_version critical changelog published_at download_url checksum_sha256 size',
  Membership: 'tenant user_id username status is_current',
  Notification: notification,
  PasskeyAdded: 'id recovery_codes',
  Permission: 'id code name module description',
  Preview: 'gains losses affected_users refused',
  Profile: `${user} | email_confirmed has_factor`,
  Readiness: 'status database cache',
  ReceivedNotification: `${notification} | sender about`,
  RecoveryCodes: 'recovery_codes',
  Resource: 'id identifier name permission_ids allow_unregistered is_built_in created_at',
  Role: 'id tenant_id name description is_system permissions',
  RoleTemplate: 'id name description permissions is_builtin given_to_new_users',
  RowError: 'code message field',
  SecondStep: 'challenge methods passkey_options',
  Security: 'factors email_confirmed created_at last_ip connections directory missing_permissions',
  ServiceAccount: 'id tenant_id name description status created_at last_used_at',
  Setting: 'key value scope tenant_id updated_at',
  SetupDirectory: 'base_url key',
  SetupGuest: 'token expires_at email tenant parts connection_id new_connection_id roles may_activate',
  SetupLink:
    'id email parts connection_id expires_in_hours role_ids may_activate status created_by created_at expires_at last_used_at',
  SignInTest: 'url',
  SupportSession:
    'id tenant_id kind status actor user reason minutes permissions decided_by created_at expires_at ends_at ended_by | requests',
  SupportToken: 'access_token expires_in',
  OpenedProduct: 'redirect_to',
  Stats: 'userCount roleCount tenantCount onlineCount todayActiveUsers userGrowth roleGrowth tenantGrowth',
  SignUpFound: 'organization slug email account_exists | proof',
  Tenant: tenant,
  TenantUsage: 'tenant_id usage',
  TokenPair: 'access_token refresh_token expires_in',
  TotpConfirmed: 'recovery_codes',
  TotpSecret: 'id secret otpauth_uri',
  UnreadCount: 'count',
  UpgradeStatus: 'available critical checked_at current_version latest_version manifest',
  Usage: 'users pending_invitations service_accounts roles webhooks connections',
  User: user,
  UserDetails: `${user} | security person`,
  UserSession: 'id tenant_id created_at last_used_at ip user_agent application support is_current',
  Version: 'version commit build_date go_version os arch',
  Webhook: `${webhook} | failing_since last_error`,
  WebhookSecret: 'secret',
}

/** Answers beyond the specification, and those that another standard specifies. */
const beyond = [
  'AccountExport',
  'ExportedAccount',
  'ExportedAct',
  'ExportedConsent',
  'ExportedDevice',
  'ExportedInvitation',
  'ExportedMembership',
  'ExportedNotification',
  'ExportedRecord',
  'ExportedSession',
  'ExportedSetting',
  'ExportedSignIn',
  'EffectiveSetting',
  'SecretValue',
  'TenantFigures',
  'ChangedUsers',
  'ChangeResult',
  'Identity',
  'IdentityAddition',
  'Provider',
  'ProviderTest',
  'SettingDefinition',
  'SettingVersion',
  'UserSetting',
  'ExportedTenant',
  'ExportedUser',
  'ReviewCounts',
  'ReviewReport',
  'UserExport',
  'Activity',
  'DayActivity',
  'DeviceAnswer',
  'Interaction',
  'Introspection',
  'JoinedHere',
  'OpenedForLink',
  'KeySet',
  'LoggedOut',
  'LogoutQuestion',
  'LookedAtDomain',
  'OAuthError',
  'Look',
  'Portal',
  'PasskeyCreationOptions',
  'PasskeyRequestOptions',
  'PasswordRules',
  'Reader',
  'Registration',
  'Sending',
  'ServerMetadata',
  'StreamEvent',
  'TokenAnswer',
  'Userinfo',
  'RegisteredClient',
  'EvaluationFailure',
  'ReplayEffect',
  'ScimDocument',
  'ScimError',
  'ScimList',
  'ScimResource',
  'WayBack',
  'EmailCodeChallenge',
  'Ways',
  'WebhookTest',
]

/** The data of an event of the stream. */
const events: Record<string, string> = {
  NotificationEvent: 'notification unread_count',
  UnreadEvent: 'count',
  AuthorityEvent: 'tenant_id user_id session_id',
  ChangeEvent: 'id tenant_id action resource resource_id',
  EndEvent: 'reason',
  GapEvent: '',
}

const document = (await service.app.inject('/openapi.json')).json<ApiDocument>()

const namesIn = (value: unknown): string[] =>
  [...JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)

/** The schemas that answers use, those within others included. */
const answered = (): string[] => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  const { responses: failures } = document.components as { responses?: unknown }
  const open = namesIn([operations.map(({ responses }) => responses), failures])
  const found = new Set<string>()
  for (const name of open) {
    if (!found.has(name)) open.push(...namesIn(document.components.schemas[name]))
    found.add(name)
  }
  return [...found].toSorted()
}

const fieldsOf = ({ properties = {}, required = [] }: Schema): string[][] => {
  const names = Object.keys(properties).toSorted()
  return [names.filter((name) => required.includes(name)), names.filter((name) => !required.includes(name))]
}

const listed = (text: string): string[][] => {
  const [always = '', asked = ''] = text.split('|')
  return [always, asked].map((part) => part.split(' ').filter(Boolean).toSorted())
}

test('every object of an answer is one of the specification, or known to be beyond it', () => {
  expect(answered()).toEqual([...Object.keys(specified), ...Object.keys(events), ...beyond].toSorted())
})

test.each(Object.entries(specified))(
  'an answer has the fields that the specification lists: %s',
  (name, fields) => {
    expect(fieldsOf(document.components.schemas[name] ?? {})).toEqual(listed(fields))
  },
)

test.each(Object.entries(events))(
  'an event has the data that the specification lists: %s',
  (name, fields) => {
    const { data = {} } = document.components.schemas[name]?.properties ?? {}
    expect(fieldsOf(data)).toEqual(listed(fields))
  },
)

test('the notification of the stream is the one of the specification', () => {
  const { data } = document.components.schemas['NotificationEvent']?.properties ?? {}
  expect(namesIn(data)).toEqual(['Notification'])
})

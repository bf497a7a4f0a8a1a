// Written by `npm run docs`; a test fails when it is stale.
import { path, type Api, type Assignment, type KeyOfAccount, type WholeList } from './api.ts'
import type { Activity, AddIdentity, AddPasskey, AddTotp, Application, Approval, ApprovalPolicy, AskApproval, AskEmailCode, Attempt, Attribute, AuditLog, AuthOptions, Challenge, ChangeEmail, ChangeHolders, ChangePassword, ChangeStatus, ChangedUsers, CheckAnswer, CheckPermissionsQuery, CheckQuestion, ConfirmTotp, Connection, CreateApplication, CreateBroadcast, CreateConnection, CreateDomain, CreateFlag, CreateInvitation, CreateKey, CreateNotification, CreatePermission, CreateProvider, CreateResource, CreateRole, CreateRoleTemplate, CreateSecret, CreateServiceAccount, CreateSetupLink, CreateTenant, CreateTenantQuery, CreateUser, CreateWebhook, CreatedApplication, CreatedKey, CreatedSecret, CreatedTenant, CreatedWebhook, DecideApproval, DecideReview, DecideSupport, DecidedItem, DeleteAccount, Delivery, DeliveryDetails, DirectoryGroup, Discover, Discovered, Domain, EffectiveSetting, Elevation, EligibleRole, EmailCodeChallenge, EnterSetup, Exemption, ExplainFlag, ExplainQuestion, Explanation, ExportAccount, ExportAuditLogsQuery, Factors, Flag, FlagExplanation, FlagOverride, ForgotPassword, GetActivityQuery, GetApplicationQuery, GetAuditLogQuery, GetAuthOptionsQuery, GetConnectionQuery, GetEffectiveSettingQuery, GetHeldPermissionsQuery, GetNotificationQuery, GetPortalQuery, GetProfileQuery, GetSupportSessionQuery, GetUserQuery, GetWebhookQuery, Grant, Health, HeldPermissions, Identity, IdentityAddition, ImportUsers, ImportedUsers, Invitation, InvitationFound, Key, KeySet, ListApplicationsQuery, ListApprovalsQuery, ListAssignmentsQuery, ListAttemptsQuery, ListAttributesQuery, ListAuditLogsQuery, ListDeliveriesQuery, ListDirectoryGroupsQuery, ListEffectiveSettingsQuery, ListElevationsQuery, ListFlagTenantsQuery, ListFlagsQuery, ListGlobalSettingVersionsQuery, ListGrantsQuery, ListInvitationsQuery, ListNotificationsQuery, ListPermissionsQuery, ListResourcesQuery, ListReviewItemsQuery, ListReviewsQuery, ListRoleUsersQuery, ListRolesQuery, ListSentQuery, ListServiceAccountsQuery, ListSettingDefinitionsQuery, ListSupportSessionsQuery, ListTenantSettingVersionsQuery, ListTenantsQuery, ListUsageQuery, ListUsersQuery, ListWebhooksQuery, ListedRole, ListedTenant, ListedUser, Liveness, LookUpInvitation, LookUpInvitationQuery, LookUpSignUp, LookUpSignUpQuery, LookedAtDomain, MakeEligible, Membership, Notification, OpenProduct, OpenReview, OpenSetup, OpenedProduct, PasskeyAdded, PasskeyCreationOptions, PasskeyRequestOptions, Permission, Portal, Preview, PreviewQuestion, Profile, ProvePassword, Provider, ProviderTest, PutApprovalPolicy, PutAttribute, PutExemption, PutSettingDefinition, ReadSecrets, Readiness, ReceivedNotification, RecoveryCodes, Registration, ReplayEffect, ReplayWebhook, RequestSupport, RequirementEffect, ResetPassword, Resource, RevertSetting, Review, ReviewItem, Role, RoleAssignment, RoleTemplate, RotateWebhookSecret, SecretValue, Sending, ServerMetadata, ServiceAccount, Setting, SettingDefinition, SettingVersion, SetupDirectory, SetupGuest, SetupLink, SignInTest, SignUp, SignUpFound, StartElevation, Stats, SupportSession, SupportToken, Tenant, TenantUsage, TotpConfirmed, TotpSecret, UnreadCount, UpdateApplication, UpdateConnection, UpdateFlag, UpdatePermission, UpdateProfile, UpdateProvider, UpdateResource, UpdateRole, UpdateRoleTemplate, UpdateServiceAccount, UpdateTenant, UpdateUser, UpdateWebhook, UpgradeStatus, Usage, User, UserDetails, UserSession, UserSetting, VerifyEmail, Version, Webhook, WebhookSecret, WebhookTest } from './schema.ts'
import type { CallOptions } from './send.ts'

/** The methods that are one request each, by group. */
export const endpointsOf = ({ ask, askPage, askCounted, askAll, askFile }: Api) => ({
  /**
   * Probes and versions without a session, and `ping` with one.
   */
  system: {
    /**
     * Tell how the process and its stores are.
     *
     * @throws ApiError as every method
     * @example
     * console.log(await client.system.health())
     */
    health: (options?: CallOptions) =>
      ask<Health>('GET', '/health', { isPublic: true, bare: 'status' }, options),

    /**
     * Tell that the process is alive.
     *
     * @throws ApiError as every method
     * @example
     * console.log(await client.system.liveness())
     */
    liveness: (options?: CallOptions) =>
      ask<Liveness>('GET', '/healthz', { isPublic: true, bare: 'status' }, options),

    /**
     * Tell whether requests can be served. The status `unready` is an answer here, not an error.
     *
     * @throws ApiError as every method
     * @example
     * const { status, database, cache } = await client.system.readiness()
     * if (status === 'unready') console.log(`database ${database}, cache ${cache}`)
     */
    readiness: (options?: CallOptions) =>
      ask<Readiness>('GET', '/readyz', { isPublic: true, bare: 'status', alsoOk: 503 }, options),

    /**
     * Tell which version runs.
     *
     * @throws ApiError as every method
     * @example
     * console.log(await client.system.version())
     */
    version: (options?: CallOptions) => ask<Version>('GET', '/api/version', { isPublic: true }, options),

    /**
     * Tell whether a newer version is known. A reserved interface: it knows the current version only.
     *
     * @throws ApiError as every method
     * @example
     * console.log(await client.system.upgrade())
     */
    upgrade: (options?: CallOptions) =>
      ask<UpgradeStatus>('GET', '/api/upgrade/check', { isPublic: true }, options),

    /**
     * Try the authentication and the tenant header. Needs a signed-in user or a key.
     *
     * @throws ApiError as every method
     * @example
     * console.log(await client.system.ping())
     */
    ping: (options?: CallOptions) => ask<string>('GET', '/ping', {}, options),

  },

  /**
   * The sessions of the user, their password, e-mail and tenants.
   */
  auth: {
    /**
     * Read the public keys of access tokens. A JSON Web Key Set (RFC 7517). Cache it for at most 5 minutes: a new key
     * is published so long before it signs.
     *
     * @throws ApiError as every method
     * @example
     * console.log(await client.auth.keySet())
     */
    keySet: (options?: CallOptions) =>
      ask<KeySet>('GET', '/.well-known/jwks.json', { isPublic: true, bare: 'keys' }, options),

    /**
     * Discover issuer, keys, endpoints and what they support. Metadata of an authorization server (RFC 8414).
     *
     * @throws ApiError as every method
     * @example
     * console.log(await client.auth.serverMetadata())
     */
    serverMetadata: (options?: CallOptions) =>
      ask<ServerMetadata>('GET', '/.well-known/oauth-authorization-server', { isPublic: true, bare: 'issuer' }, options),

    /**
     * Get a challenge for proof of work. Solve it with a library of ALTCHA, and send the base64 of `{ challenge,
     * solution }` as `altcha`. It lives 10 minutes and counts once.
     *
     * @throws ApiError 503 `secretsOff`
     * @example
     * console.log(await client.auth.challenge())
     */
    challenge: (options?: CallOptions) =>
      ask<Challenge>('GET', '/auth/challenge', { isPublic: true }, options),

    /**
     * Get the ways to register and sign in.
     *
     * @throws ApiError as every method
     * @example
     * const { open, first_becomes_admin } = await client.auth.registration()
     * console.log(first_becomes_admin ? 'create the first account' : open ? 'welcome' : 'ask an administrator')
     */
    registration: (options?: CallOptions) =>
      ask<Registration>('GET', '/auth/registration', { isPublic: true }, options),

    /**
     * Begin a sign-in with a passkey alone. Options for `navigator.credentials.get`, for 5 minutes.
     *
     * @throws ApiError 403 `passkeysOff`
     * @example
     * console.log(await client.auth.beginPasskeyLogin())
     */
    beginPasskeyLogin: (options?: CallOptions) =>
      ask<PasskeyRequestOptions>('POST', '/auth/passkey/options', { isPublic: true }, options),

    /**
     * Tell the ways to an account that are on.
     *
     * @throws ApiError 400 `invalidInput`
     * @example
     * console.log(await client.auth.options())
     */
    options: (query: GetAuthOptionsQuery = {}, options?: CallOptions) =>
      ask<AuthOptions>('GET', '/auth/options', { query, isPublic: true }, options),

    /**
     * Mail a link to a new password. Answers an unknown address alike, in the same time. The link lives 30 minutes.
     * The link leads to the console, with its token after `#token=`.
     *
     * @throws ApiError 400 `invalidInput`, `workNeeded`; 503 `secretsOff`, `mailOff`
     * @example
     * await client.auth.forgotPassword({ email: 'ada@example.com', altcha: 'eyJjaGFsbGVuZ2UiOnt9LCJzb2x1dGlvbiI6e319' })
     */
    forgotPassword: (body: ForgotPassword, options?: CallOptions) =>
      ask<null>('POST', '/auth/password/forgot', { body, isPublic: true }, options),

    /**
     * Set a new password by a mailed link. Ends every session of the account. A dead link is 400.
     *
     * @throws ApiError 400 `invalidInput`, `linkDead`, `passwordRefused`
     * @example
     * await client.auth.resetPassword({
     *   token: 'q0yqYQkOmcVn1iM6Y4TLsfjZ7-1TtY2nYw0r5Q3mF0k',
     *   new_password: 'correct horse battery',
     * })
     */
    resetPassword: (body: ResetPassword, options?: CallOptions) =>
      ask<null>('POST', '/auth/password/reset', { body, isPublic: true }, options),

    /**
     * Mail a code to sign in with. The answer is the same for every address. The code has six digits, lives 10
     * minutes, and counts only with its challenge.
     *
     * @throws ApiError 400 `invalidInput`, `workNeeded`; 403 `emailCodesOff`; 429 `tooManyCodes`; 503 `secretsOff`,
     * `mailOff`
     * @example
     * console.log(await client.auth.askEmailCode({
     *   email: 'ada@example.com',
     *   tenant_id: '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b',
     *   altcha: 'eyJjaGFsbGVuZ2UiOnt9LCJzb2x1dGlvbiI6e319',
     * }))
     */
    askEmailCode: (body: AskEmailCode, options?: CallOptions) =>
      ask<EmailCodeChallenge>('POST', '/auth/email-code', { body, isPublic: true }, options),

    /**
     * Tell the holder of a link about its invitation. A dead link is 400.
     *
     * @throws ApiError 400 `invalidInput`, `linkDead`
     * @example
     * const token = location.hash.slice('#token='.length)
     * const { tenant, proof } = await client.auth.lookUpInvitation({ token }, { include: 'proof' })
     * console.log(tenant.name, proof === 'password' ? 'asks for the password' : 'asks for a new password')
     */
    lookUpInvitation: (body: LookUpInvitation, query: LookUpInvitationQuery = {}, options?: CallOptions) =>
      ask<InvitationFound>('POST', '/auth/invitations/lookup', { body, query, isPublic: true }, options),

    /**
     * Ask for the link that creates an organization. The answer is the same for every address. The link lives 24
     * hours, and nothing is created before it is followed. A source asks five times an hour; beyond them 429.
     *
     * @throws ApiError 400 `invalidInput`, `workNeeded`; 403 `signUpClosed`; 503 `secretsOff`, `mailOff`
     * @example
     * await client.auth.signUp({
     *   organization: 'Analytical Engines',
     *   slug: 'analytical-engines',
     *   email: 'ada@example.com',
     *   altcha: 'eyJjaGFsbGVuZ2UiOnt9LCJzb2x1dGlvbiI6e319',
     * })
     */
    signUp: (body: SignUp, options?: CallOptions) =>
      ask<null>('POST', '/auth/sign-up', { body, isPublic: true }, options),

    /**
     * Tell the holder of a link about its sign-up. A dead link is 400.
     *
     * @throws ApiError 400 `invalidInput`, `linkDead`; 403 `signUpClosed`
     * @example
     * console.log(await client.auth.lookUpSignUp({ token: 'q0yqYQkOmcVn1iM6Y4TLsfjZ7-1TtY2nYw0r5Q3mF0k' }))
     */
    lookUpSignUp: (body: LookUpSignUp, query: LookUpSignUpQuery = {}, options?: CallOptions) =>
      ask<SignUpFound>('POST', '/auth/sign-up/lookup', { body, query, isPublic: true }, options),

    /**
     * Change the own password. Ends every other session of the person, in all tenants. Needs a signed-in user; a key
     * gets 403.
     *
     * @throws ApiError 400 `invalidInput`, `passwordRefused`; 401 `oldPasswordWrong`; 429 `tooManyFailures`
     * @example
     * await client.auth.changePassword({ old_password: 'correct horse battery', new_password: 'correct horse battery' })
     */
    changePassword: (body: ChangePassword, options?: CallOptions) =>
      ask<null>('POST', '/password', { body }, options),

    /**
     * Remove the own password. Another way must stay open in each tenant. Ends every other session of the person, in
     * all tenants. `POST /auth/password/forgot` gives a password again. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`, `lastOwnWay`; 401 `oldPasswordWrong`; 403 `proofTooOld`, `mfaRequired`; 429
     * `tooManyFailures`
     * @example
     * await client.auth.removePassword({ password: 'correct horse battery' })
     */
    removePassword: (body: ProvePassword = {}, options?: CallOptions) =>
      ask<null>('POST', '/auth/password/remove', { body }, options),

    /**
     * Confirm the own e-mail by a mailed link. Also confirms a changed e-mail. A session of another account gets 403,
     * and the link stays valid. The first proof of the mailbox ends the password: `new_password` is the next one.
     * Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`, `passwordRefused`, `linkDead`; 403 `linkOfAnother`; 409 `emailTaken`
     * @example
     * await client.auth.verifyEmail({ token: 'q0yqYQkOmcVn1iM6Y4TLsfjZ7-1TtY2nYw0r5Q3mF0k' })
     */
    verifyEmail: (body: VerifyEmail, options?: CallOptions) =>
      ask<null>('POST', '/auth/email/verify', { body }, options),

    /**
     * Mail the link that confirms the own e-mail again. Does nothing for a confirmed e-mail. The link lives 24 hours.
     * Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 503 `mailOff`
     * @example
     * await client.auth.sendVerification()
     */
    sendVerification: (options?: CallOptions) => ask<null>('POST', '/auth/email/verification', {}, options),

    /**
     * Mail a link that changes the own e-mail. Answers a taken e-mail alike. Nothing changes before the link is used,
     * within 24 hours. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`; 401 `oldPasswordWrong`; 403 `proofTooOld`; 429 `tooManyFailures`; 503
     * `mailOff`
     * @example
     * await client.auth.changeEmail({ email: 'ada@example.com', password: 'correct horse battery' })
     */
    changeEmail: (body: ChangeEmail, options?: CallOptions) =>
      ask<null>('POST', '/auth/email', { body }, options),

    /**
     * List the own sessions. Those of all tenants of the person, the last used first, at most 200. Needs a signed-in
     * user, also of a disabled tenant; a key gets 403.
     *
     * @throws ApiError as every method
     * @example
     * console.log(await client.auth.sessions())
     */
    sessions: (options?: CallOptions) => ask<Array<UserSession>>('GET', '/auth/sessions', {}, options),

    /**
     * End all own sessions but the current one. Needs a signed-in user, also of a disabled tenant; a key gets 403.
     *
     * @throws ApiError as every method
     * @example
     * await client.auth.endOtherSessions()
     */
    endOtherSessions: (options?: CallOptions) => ask<null>('DELETE', '/auth/sessions', {}, options),

    /**
     * End one of the own sessions. Also ends the sessions of other tenants that belong to the same sign-in. Needs a
     * signed-in user, also of a disabled tenant; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`; 404 `sessionUnknown`
     * @example
     * for (const { id, ip } of await client.auth.sessions()) {
     *   if (ip === '203.0.113.7') await client.auth.endSession(id)
     * }
     */
    endSession: (id: string, options?: CallOptions) =>
      ask<null>('DELETE', path`/auth/sessions/${id}`, {}, options),

    /**
     * List the own tenants. Tenants of which the person is a user, by name; at most 1,000. Needs a signed-in user,
     * also of a disabled tenant; a key gets 403.
     *
     * @throws ApiError as every method
     * @example
     * console.log(await client.auth.memberships())
     */
    memberships: (options?: CallOptions) => ask<Array<Membership>>('GET', '/auth/memberships', {}, options),

    /**
     * Leave one of the own tenants. The last membership ends only with the account: 400. Needs a signed-in user, also
     * of a disabled tenant; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`, `lastPlatformAdmin`, `lastWayIn`, `lastMembership`; 404 `membershipUnknown`
     * @example
     * await client.auth.leaveTenant('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b')
     */
    leaveTenant: (tenantId: string, options?: CallOptions) =>
      ask<null>('DELETE', path`/auth/memberships/${tenantId}`, {}, options),

    /**
     * Delete the own account. Erases the person and their user in every tenant. Needs a signed-in user; a key gets
     * 403.
     *
     * @throws ApiError 400 `invalidInput`, `lastPlatformAdmin`, `lastWayIn`; 401 `oldPasswordWrong`; 403
     * `proofTooOld`, `mfaRequired`; 429 `tooManyFailures`
     * @example
     * await client.auth.deleteAccount({ password: 'correct horse battery' })
     */
    deleteAccount: (body: DeleteAccount = {}, options?: CallOptions) =>
      ask<null>('POST', '/auth/account/delete', { body }, options),

    /**
     * List the own identities. The persons of providers who open the account, the oldest first; at most 10. Needs a
     * signed-in user; a key gets 403.
     *
     * @throws ApiError as every method
     * @example
     * console.log(await client.auth.identities())
     */
    identities: (options?: CallOptions) => ask<Array<Identity>>('GET', '/auth/identities', {}, options),

    /**
     * Begin to add an own identity. The address leads to the provider. After its answer, the person is told by mail.
     * Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`; 401 `oldPasswordWrong`; 403 `proofTooOld`, `mfaRequired`; 404
     * `providerUnknown`; 429 `tooManyFailures`
     * @example
     * console.log(await client.auth.addIdentity({ provider: 'google', password: 'correct horse battery' }))
     */
    addIdentity: (body: AddIdentity, options?: CallOptions) =>
      ask<IdentityAddition>('POST', '/auth/identities', { body }, options),

    /**
     * Remove an own identity. The sessions that it opened end, and the person is told by mail. Needs a signed-in user;
     * a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`, `lastOwnWay`; 401 `oldPasswordWrong`; 403 `proofTooOld`, `mfaRequired`; 404
     * `identityUnknown`; 429 `tooManyFailures`
     * @example
     * await client.auth.removeIdentity('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b', { password: 'correct horse battery' })
     */
    removeIdentity: (id: string, body: ProvePassword = {}, options?: CallOptions) =>
      ask<null>('POST', path`/auth/identities/${id}/remove`, { body }, options),

    /**
     * List the own consents. Those of the caller in their tenant, the newest first, at most 200. Needs a signed-in
     * user; a key gets 403.
     *
     * @throws ApiError as every method
     * @example
     * console.log(await client.auth.grants())
     */
    grants: (options?: CallOptions) => ask<Array<Grant>>('GET', '/auth/grants', {}, options),

    /**
     * Revoke one of the own consents, and end its sessions. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`; 404 `grantUnknown`
     * @example
     * await client.auth.revokeGrant(7)
     */
    revokeGrant: (id: number, options?: CallOptions) =>
      ask<null>('DELETE', path`/auth/grants/${id}`, {}, options),

    /**
     * Export what is stored about the own person. A JSON file with the account and the user in every tenant, without
     * secrets. At most 3 within a day (429). Needs a signed-in user; a key gets 403. The answer's `body` is a stream,
     * and `json()` reads the whole file.
     *
     * @throws ApiError 400 `invalidInput`; 401 `oldPasswordWrong`; 403 `proofTooOld`, `mfaRequired`; 429
     * `tooManyFailures`
     * @example
     * const file = await client.auth.exportAccount({ password: 'correct horse battery' })
     * const { account, memberships } = (await file.json()) as AccountExport
     * console.log(account.email, memberships.length)
     */
    exportAccount: (body: ExportAccount = {}, options?: CallOptions) =>
      askFile('POST', '/auth/account/export', { body, isJson: true }, options),

  },

  /**
   * Domains that a tenant has proved, and connections to the providers of its people.
   */
  sso: {
    /**
     * Find the connection of an address. Only the verified domains of tenants decide, so the answer says nothing about
     * accounts.
     *
     * @throws ApiError 400 `invalidInput`
     * @example
     * console.log(await client.sso.discoverConnection({ email: 'ada@example.com' }))
     */
    discoverConnection: (body: Discover, options?: CallOptions) =>
      ask<Discovered>('POST', '/auth/discover', { body, isPublic: true }, options),

    /**
     * Mail a code to the address of a setup link. The code has six digits, lives 10 minutes, and counts only with its
     * challenge and link. It proves no account.
     *
     * @throws ApiError 400 `invalidInput`, `linkDead`; 429 `tooManyCodes`; 503 `mailOff`
     * @example
     * console.log(await client.sso.openSetup({ token: 'q0yqYQkOmcVn1iM6Y4TLsfjZ7-1TtY2nYw0r5Q3mF0k' }))
     */
    openSetup: (body: OpenSetup, options?: CallOptions) =>
      ask<EmailCodeChallenge>('POST', '/setup/open', { body, isPublic: true }, options),

    /**
     * Enter as the guest of a setup link. The token reaches only the parts that the link names. The link opens another
     * one.
     *
     * @throws ApiError 400 `invalidInput`, `linkDead`; 401 `emailCodeWrong`; 429 `tooManyFailures`, `tooManyCodes`
     * @example
     * console.log(await client.sso.enterSetup({
     *   token: 'q0yqYQkOmcVn1iM6Y4TLsfjZ7-1TtY2nYw0r5Q3mF0k',
     *   challenge: 'Y2hhbGxlbmdlLXdpdGgtMjU2LXJhbmRvbS1iaXRzLi4',
     *   code: '492039',
     * }))
     */
    enterSetup: (body: EnterSetup, options?: CallOptions) =>
      ask<SetupGuest>('POST', '/setup/enter', { body, isPublic: true }, options),

    /**
     * List domains. All domains of the tenant in scope, ordered by id; at most 20. Needs the permission `sso:read`.
     *
     * @throws ApiError 403 `permissionMissing`
     * @example
     * console.log(await client.sso.domains())
     */
    domains: (options?: CallOptions) => ask<Array<Domain>>('GET', '/domains', {}, options),

    /**
     * Add a domain. The answer has the TXT record that proves it. Needs every permission that a user of the tenant can
     * hold. Other managers are notified. Needs the permission `sso:manage`.
     *
     * @throws ApiError 400 `invalidInput`, `domainsFull`, `domainPublic`; 403 `permissionMissing`,
     * `targetOutranksCaller`, `grantOutlastsOwn`; 409 `domainThere`
     * @example
     * console.log(await client.sso.createDomain({ domain: 'example.com' }))
     */
    createDomain: (body: CreateDomain, options?: CallOptions) =>
      ask<Domain>('POST', '/domains', { body }, options),

    /**
     * Look for the record of a domain now. Answers within 5 seconds, with the status after the look; 20 a minute for a
     * tenant. Needs every permission that a user of the tenant can hold. Other managers are notified. Needs the
     * permission `sso:manage`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `targetOutranksCaller`, `grantOutlastsOwn`; 404
     * `domainUnknown`; 409 `domainOfAnother`
     * @example
     * console.log(await client.sso.verifyDomain(7))
     */
    verifyDomain: (id: number, options?: CallOptions) =>
      ask<LookedAtDomain>('POST', path`/domains/${id}/verify`, {}, options),

    /**
     * Delete a domain. It is free for other tenants at once. Needs every permission that a user of the tenant can
     * hold. Other managers are notified. Needs the permission `sso:manage`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `targetOutranksCaller`, `grantOutlastsOwn`; 404
     * `domainUnknown`
     * @example
     * await client.sso.deleteDomain(7)
     */
    deleteDomain: (id: number, options?: CallOptions) =>
      ask<null>('DELETE', path`/domains/${id}`, {}, options),

    /**
     * List connections. All connections of the tenant in scope, the oldest first; at most 5. Needs the permission
     * `sso:read`.
     *
     * @throws ApiError 403 `permissionMissing`
     * @example
     * console.log(await client.sso.connections())
     */
    connections: (options?: CallOptions) => ask<Array<Connection>>('GET', '/connections', {}, options),

    /**
     * Create a connection. A draft, which signs nobody in. The issuer has to answer with metadata of its own. Needs
     * every permission that a user of the tenant can hold. Other managers are notified. Needs the permission
     * `sso:manage`.
     *
     * @throws ApiError 400 `invalidInput`, `connectionsFull`, `issuerShared`, `platformOnlyPermission`; 403
     * `permissionMissing`, `limitReached`, `targetOutranksCaller`, `grantOutlastsOwn`; 409 `connectionIdTaken`; 503
     * `secretsOff`
     * @example
     * console.log(await client.sso.createConnection({
     *   id: '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b',
     *   name: 'Entra ID',
     *   domains: ['example.com'],
     *   jit: true,
     *   default_role_ids: [7],
     *   group_mappings: [{ group: 'accounting', role_id: 7 }],
     *   trust_mfa: false,
     *   attributes: [{ claim: 'department', key: 'department' }],
     *   session_seconds: 86400,
     *   application_id: null,
     *   scim_account_id: null,
     *   client_id: 'tenantry',
     *   auth_method: 'client_secret_basic',
     *   scopes: 'openid profile email',
     *   email_claim: 'email',
     *   name_claim: 'name',
     *   groups_claim: 'groups',
     *   metadata: '<EntityDescriptor …',
     *   metadata_url: 'https://login.example.com/metadata',
     *   subject: 'name_id',
     *   email_attribute: 'email',
     *   name_attribute: 'name',
     *   groups_attribute: 'groups',
     *   type: 'oidc',
     *   issuer: 'https://login.example.com',
     *   client_secret: 'the secret of the client',
     *   subject_claim: 'sub',
     * }))
     */
    createConnection: (body: CreateConnection, options?: CallOptions) =>
      ask<Connection>('POST', '/connections', { body }, options),

    /**
     * Read a connection. The secret stands in no answer. Needs the permission `sso:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `connectionUnknown`
     * @example
     * console.log(await client.sso.connection('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'))
     */
    connection: (id: string, query: GetConnectionQuery = {}, options?: CallOptions) =>
      ask<Connection>('GET', path`/connections/${id}`, { query }, options),

    /**
     * Change a connection. `disabled` ends its sessions and keeps its links. Issuer and subject never change. Needs
     * every permission that a user of the tenant can hold. Other managers are notified. Needs the permission
     * `sso:manage`.
     *
     * @throws ApiError 400 `invalidInput`, `connectionUntested`, `lastWayIn`, `platformOnlyPermission`; 403
     * `permissionMissing`, `targetOutranksCaller`, `grantOutlastsOwn`; 404 `connectionUnknown`; 503 `secretsOff`
     * @example
     * console.log(await client.sso.updateConnection('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b', {
     *   name: 'Entra ID',
     *   domains: ['example.com'],
     *   jit: true,
     *   default_role_ids: [7],
     *   group_mappings: [{ group: 'accounting', role_id: 7 }],
     *   trust_mfa: false,
     *   attributes: [{ claim: 'department', key: 'department' }],
     *   session_seconds: 86400,
     *   application_id: null,
     *   scim_account_id: null,
     *   client_id: 'tenantry',
     *   auth_method: 'client_secret_basic',
     *   scopes: 'openid profile email',
     *   email_claim: 'email',
     *   name_claim: 'name',
     *   groups_claim: 'groups',
     *   metadata: '<EntityDescriptor …',
     *   metadata_url: 'https://login.example.com/metadata',
     *   subject: 'name_id',
     *   email_attribute: 'email',
     *   name_attribute: 'name',
     *   groups_attribute: 'groups',
     *   client_secret: 'the secret of the client',
     *   status: 'active',
     * }))
     */
    updateConnection: (id: string, body: UpdateConnection = {}, options?: CallOptions) =>
      ask<Connection>('PUT', path`/connections/${id}`, { body }, options),

    /**
     * Delete a connection. Its links and sessions end. Needs every permission that a user of the tenant can hold.
     * Other managers are notified. Needs the permission `sso:manage`.
     *
     * @throws ApiError 400 `invalidInput`, `lastWayIn`; 403 `permissionMissing`, `targetOutranksCaller`,
     * `grantOutlastsOwn`; 404 `connectionUnknown`
     * @example
     * await client.sso.deleteConnection('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b')
     */
    deleteConnection: (id: string, options?: CallOptions) =>
      ask<null>('DELETE', path`/connections/${id}`, {}, options),

    /**
     * List break-glass users. All users who sign in without a connection where `auth.sso` is `required`, by id; at
     * most 3. Needs the permission `sso:read`.
     *
     * @throws ApiError 403 `permissionMissing`
     * @example
     * console.log(await client.sso.exemptions())
     */
    exemptions: (options?: CallOptions) => ask<Array<Exemption>>('GET', '/sso-exemptions', {}, options),

    /**
     * Count what the requirement of single sign-on ends. The users of the tenant, and their sessions, that end when
     * `auth.sso` becomes `required`: those that neither an active connection nor a break-glass user with a second
     * factor opened. Needs the permission `sso:read`.
     *
     * @throws ApiError 403 `permissionMissing`
     * @example
     * console.log(await client.sso.requirementEffect())
     */
    requirementEffect: (options?: CallOptions) =>
      ask<RequirementEffect>('GET', '/sso-exemptions/effect', {}, options),

    /**
     * Make a user a break-glass user. A break-glass user has a second factor, and is no user of a directory. Each
     * sign-in of one is told to all who hold `sso:manage`. Needs every permission that a user of the tenant can hold.
     * Other managers are notified. Needs the permission `sso:manage`.
     *
     * @throws ApiError 400 `invalidInput`, `exemptionsFull`, `lastWayIn`; 403 `permissionMissing`, `limitReached`,
     * `targetOutranksCaller`, `grantOutlastsOwn`; 404 `userUnknown`
     * @example
     * await client.sso.putExemption(7, { exempt: true })
     */
    putExemption: (id: number, body: PutExemption, options?: CallOptions) =>
      ask<null>('PUT', path`/users/${id}/sso-exemption`, { body }, options),

    /**
     * Begin a test of a connection. The address leads to the provider, and then to a page that tells what would
     * happen. Needs the permission `sso:manage`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `targetOutranksCaller`, `grantOutlastsOwn`; 404
     * `connectionUnknown`
     * @example
     * console.log(await client.sso.testConnection('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'))
     */
    testConnection: (id: string, options?: CallOptions) =>
      ask<SignInTest>('POST', path`/connections/${id}/test`, {}, options),

    /**
     * List the last sign-ins by a connection. The last 200 of 30 days, the newest first. Needs the permission
     * `sso:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `connectionUnknown`
     * @example
     * console.log((await client.sso.attempts('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b')).items)
     */
    attempts: (id: string, query: ListAttemptsQuery = {}, options?: CallOptions) =>
      askPage<Attempt>(path`/connections/${id}/attempts`, query, options),

    /**
     * Unlink a user from the providers of the tenant. The sessions that a provider opened end. The next sign-in links
     * anew, by the same rules. Needs the permission `sso:manage`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `targetOutranksCaller`, `grantOutlastsOwn`; 404
     * `userUnknown`
     * @example
     * await client.sso.unlinkUser(7)
     */
    unlinkUser: (id: number, options?: CallOptions) =>
      ask<null>('DELETE', path`/users/${id}/sso`, {}, options),

    /**
     * List setup links. The open links, then the last ones that ended; 100 in all. A link goes after 90 days. Needs
     * the permission `sso:read`.
     *
     * @throws ApiError 403 `permissionMissing`
     * @example
     * console.log(await client.sso.setupLinks())
     */
    setupLinks: (options?: CallOptions) => ask<Array<SetupLink>>('GET', '/setup-links', {}, options),

    /**
     * Mail a setup link. It lets a person without an account set up sign-in for the tenant, while the caller keeps the
     * permissions. No answer shows it. Needs every permission that a user of the tenant can hold. Other managers are
     * notified. Needs the permission `sso:manage`.
     *
     * @throws ApiError 400 `invalidInput`, `setupLinksFull`, `platformOnlyPermission`; 403 `permissionMissing`,
     * `targetOutranksCaller`, `grantOutlastsOwn`; 503 `mailOff`
     * @example
     * console.log(await client.sso.createSetupLink({
     *   email: 'ada@example.com',
     *   parts: ['domains', 'connection'],
     *   connection_id: null,
     *   expires_in_hours: 72,
     *   role_ids: [7],
     *   may_activate: false,
     * }))
     */
    createSetupLink: (body: CreateSetupLink, options?: CallOptions) =>
      ask<SetupLink>('POST', '/setup-links', { body }, options),

    /**
     * Revoke a setup link. Its guests are out at once. What they created goes, unless the connection was activated.
     * Needs the permission `sso:manage`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `setupLinkUnknown`
     * @example
     * await client.sso.revokeSetupLink('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b')
     */
    revokeSetupLink: (id: string, options?: CallOptions) =>
      ask<null>('DELETE', path`/setup-links/${id}`, {}, options),

    /**
     * Create the directory of a connection, as a guest. The key provisions nothing before the connection is activated.
     * An earlier key of the guest is deleted. Needs the token of a guest of a setup link.
     *
     * @throws ApiError 400 `rolesFull`, `serviceAccountsFull`; 403 `limitReached`; 404 `connectionUnknown`; 409
     * `roleNameTaken`, `serviceAccountNameTaken`
     * @example
     * console.log(await client.sso.createSetupDirectory())
     */
    createSetupDirectory: (options?: CallOptions) =>
      ask<SetupDirectory>('POST', '/setup/directory', {}, options),

  },

  /**
   * The own second factors. Where one exists, a change needs a session that was opened with a second factor. The first
   * factor gives its own session that proof, and ends all others.
   */
  factors: {
    /**
     * List the own second factors. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError as every method
     * @example
     * console.log(await client.factors.list())
     */
    list: (options?: CallOptions) => ask<Factors>('GET', '/auth/factors', {}, options),

    /**
     * Begin an authenticator app. It counts once its first code is confirmed, within 15 minutes. Needs a signed-in
     * user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`, `factorsFull`; 401 `oldPasswordWrong`; 403 `proofTooOld`, `mfaRequired`;
     * 429 `tooManyFailures`; 503 `secretsOff`
     * @example
     * console.log(await client.factors.addTotp({ name: 'Telephone', password: 'correct horse battery' }))
     */
    addTotp: (body: AddTotp, options?: CallOptions) =>
      ask<TotpSecret>('POST', '/auth/factors/totp', { body }, options),

    /**
     * Confirm an authenticator app by its first code. The first factor gives this session `mfa`, ends all others, and
     * brings recovery codes. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`, `codeWrong`, `factorsFull`; 403 `mfaRequired`; 404 `factorUnknown`; 429
     * `tooManyCodes`
     * @example
     * console.log(await client.factors.confirmTotp('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b', { code: '492039' }))
     */
    confirmTotp: (id: string, body: ConfirmTotp, options?: CallOptions) =>
      ask<TotpConfirmed>('POST', path`/auth/factors/totp/${id}/confirm`, { body }, options),

    /**
     * Begin a passkey. Options for `navigator.credentials.create`, for 5 minutes and this session. Needs a signed-in
     * user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`, `factorsFull`; 401 `oldPasswordWrong`; 403 `proofTooOld`, `mfaRequired`,
     * `passkeysOff`; 429 `tooManyFailures`
     * @example
     * console.log(await client.factors.beginPasskey({ password: 'correct horse battery' }))
     */
    beginPasskey: (body: ProvePassword = {}, options?: CallOptions) =>
      ask<PasskeyCreationOptions>('POST', '/auth/factors/passkey/options', { body }, options),

    /**
     * Add a passkey. The first factor gives this session `mfa`, ends all others, and brings recovery codes. Needs a
     * signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`, `passkeyInvalid`, `factorsFull`; 403 `mfaRequired`, `passkeysOff`
     * @example
     * const options = await client.factors.beginPasskey({ password: 'correct horse battery' })
     * const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
     * const passkey = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
     * await client.factors.addPasskey({ name: 'Laptop', response: passkey.toJSON() as RegistrationResponseJSON })
     */
    addPasskey: (body: AddPasskey, options?: CallOptions) =>
      ask<PasskeyAdded>('POST', '/auth/factors/passkey', { body }, options),

    /**
     * Remove an own second factor. Needs a session with `mfa`, and ends all others. Recovery codes go with the last
     * factor. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`, `lastOwnWay`, `lastWayIn`; 401 `oldPasswordWrong`; 403 `proofTooOld`,
     * `mfaRequired`; 404 `factorUnknown`; 429 `tooManyFailures`
     * @example
     * const [factor] = (await client.factors.list()).factors
     * if (factor) await client.factors.remove(factor.id, { password: 'correct horse battery' })
     */
    remove: (id: string, body: ProvePassword = {}, options?: CallOptions) =>
      ask<null>('POST', path`/auth/factors/${id}/remove`, { body }, options),

    /**
     * Replace the own recovery codes. Needs a session with `mfa`. The earlier codes are dead. Needs a signed-in user;
     * a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`, `factorMissing`; 401 `oldPasswordWrong`; 403 `proofTooOld`, `mfaRequired`;
     * 429 `tooManyFailures`
     * @example
     * console.log(await client.factors.renewRecoveryCodes({ password: 'correct horse battery' }))
     */
    renewRecoveryCodes: (body: ProvePassword = {}, options?: CallOptions) =>
      ask<RecoveryCodes>('POST', '/auth/factors/recovery-codes', { body }, options),

  },

  /**
   * The user who is signed in.
   */
  profile: {
    /**
     * Read the own user. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`
     * @example
     * const { username, email, email_confirmed } = await client.profile.get({ include: 'email_confirmed' })
     * console.log(username, email, email_confirmed)
     */
    get: (query: GetProfileQuery = {}, options?: CallOptions) =>
      ask<Profile>('GET', '/profile', { query }, options),

    /**
     * Change the own nickname and picture. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`
     * @example
     * console.log(await client.profile.update({ nickname: 'Ada', avatar: '' }))
     */
    update: (body: UpdateProfile = {}, options?: CallOptions) =>
      ask<User>('PUT', '/profile', { body }, options),

  },

  /**
   * Users of the tenant in scope.
   */
  users: {
    /**
     * List users. Users of the tenant in scope, ordered by id unless `sort` says otherwise. Roles, as a filter or in
     * the answer, need `role:read` as well. Needs the permission `user:read`. More than 10,000 matches come by id: the
     * page then has `isSortIgnored`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * const { items, total, isCapped } = await client.users.list({ search: 'ada', page_size: 50 })
     * console.log(items.length, isCapped ? `more than ${total}` : total)
     */
    list: (query: ListUsersQuery = {}, options?: CallOptions) =>
      askPage<ListedUser>('/users', query, options),

    /**
     * List users, in a loop over all of them. It fetches a page of 200 when the loop comes to it, unless `page_size`
     * says otherwise. The loop may change and delete items: none comes twice, and none is missed.
     *
     * @throws ApiError from the loop: 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * for await (const user of client.users.all({ search: 'example.com', status: 1 })) console.log(user.email)
     */
    all: (query: WholeList<ListUsersQuery> = {}, options?: CallOptions) =>
      askAll<ListedUser>('/users', 'after_id', query, options),

    /**
     * Create a user. The user starts with the role `member`. Needs the permission `user:create`.
     *
     * @throws ApiError 400 `invalidInput`, `passwordRefused`; 403 `permissionMissing`, `limitReached`,
     * `grantExceedsOwn`, `grantOutlastsOwn`; 409 `emailTaken`, `usernameTaken`
     * @example
     * console.log(await client.users.create({
     *   email: 'ada@example.com',
     *   username: 'ada',
     *   password: 'correct horse battery',
     *   nickname: 'Ada',
     *   status: 1,
     *   must_change_password: false,
     * }))
     */
    create: (body: CreateUser, options?: CallOptions) => ask<User>('POST', '/users', { body }, options),

    /**
     * Enable or disable many users. By the rules of `PUT /users/{id}`, in one transaction. A refusal concerns one
     * user: the others are changed. Needs the permission `user:update`.
     *
     * @throws ApiError 400 `invalidInput`, `lastPlatformAdmin`, `lastWayIn`; 403 `permissionMissing`
     * @example
     * console.log(await client.users.changeStatus({ user_ids: [7, 8], status: 1 }))
     */
    changeStatus: (body: ChangeStatus, options?: CallOptions) =>
      ask<ChangedUsers>('POST', '/users/status', { body }, options),

    /**
     * Read a user. The safety of the account (`include=security`) needs `user:update` as well. Needs the permission
     * `user:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `userUnknown`
     * @example
     * console.log(await client.users.get(7))
     */
    get: (id: number, query: GetUserQuery = {}, options?: CallOptions) =>
      ask<UserDetails>('GET', path`/users/${id}`, { query }, options),

    /**
     * Change a user. Disabling a user ends their sessions at once. Needs the permission `user:update`.
     *
     * @throws ApiError 400 `invalidInput`, `lastPlatformAdmin`, `lastWayIn`, `ownAccount`; 403 `permissionMissing`,
     * `userShutOut`, `targetOutranksCaller`, `grantOutlastsOwn`, `ownEmail`, `emailOfPerson`, `limitReached`; 404
     * `userUnknown`; 409 `emailTaken`
     * @example
     * console.log(await client.users.update(7, { email: 'ada@example.com', nickname: 'Ada', status: 1 }))
     */
    update: (id: number, body: UpdateUser = {}, options?: CallOptions) =>
      ask<User>('PUT', path`/users/${id}`, { body }, options),

    /**
     * Delete a user. Needs the permission `user:delete`.
     *
     * @throws ApiError 400 `invalidInput`, `lastPlatformAdmin`, `lastWayIn`, `ownAccount`; 403 `permissionMissing`,
     * `targetOutranksCaller`; 404 `userUnknown`
     * @example
     * await client.users.delete(7)
     */
    delete: (id: number, options?: CallOptions) => ask<null>('DELETE', path`/users/${id}`, {}, options),

    /**
     * Remove the second factors of a user. For a person who has lost them. Ends all their sessions, and tells them by
     * e-mail. Needs the permission `user:update`.
     *
     * @throws ApiError 400 `invalidInput`, `lastWayIn`, `ownAccount`; 403 `permissionMissing`, `targetOutranksCaller`,
     * `emailOfPerson`; 404 `userUnknown`
     * @example
     * await client.users.resetFactors(7)
     */
    resetFactors: (id: number, options?: CallOptions) =>
      ask<null>('DELETE', path`/users/${id}/factors`, {}, options),

    /**
     * Remove one second factor of a user. For a person who has lost it. Ends all their sessions, and tells them by
     * e-mail. Recovery codes go with the last factor. Needs the permission `user:update`.
     *
     * @throws ApiError 400 `invalidInput`, `lastWayIn`, `ownAccount`; 403 `permissionMissing`, `targetOutranksCaller`,
     * `emailOfPerson`; 404 `userUnknown`, `factorUnknown`
     * @example
     * const { security } = await client.users.get(7, { include: 'security' })
     * const lost = security?.factors.find(({ name }) => name === 'Telephone')
     * if (lost) await client.users.resetFactor(7, lost.id)
     */
    resetFactor: (id: number, factorId: string, options?: CallOptions) =>
      ask<null>('DELETE', path`/users/${id}/factors/${factorId}`, {}, options),

    /**
     * Mail a user the link to a new password. The link of `/auth/password/forgot`, within its limits. It goes to the
     * person, and is shown nowhere. Needs the permission `user:update`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `targetOutranksCaller`; 404 `userUnknown`; 503
     * `mailOff`
     * @example
     * await client.users.sendPasswordReset(7)
     */
    sendPasswordReset: (id: number, options?: CallOptions) =>
      ask<null>('POST', path`/users/${id}/password-reset`, {}, options),

    /**
     * Require a new password of a user. The next session that the password opens is restricted to profile, refresh,
     * logout and `POST /password`, until the password is changed. Sessions that are open go on. Needs the permission
     * `user:update`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `targetOutranksCaller`, `emailOfPerson`; 404
     * `userUnknown`
     * @example
     * await client.users.expirePassword(7)
     */
    expirePassword: (id: number, options?: CallOptions) =>
      ask<null>('POST', path`/users/${id}/password-expiry`, {}, options),

    /**
     * List the sessions of a user. Sessions in the tenant in scope, and the browser sign-ins used there. The last used
     * come first, at most 200. Needs the permission `user:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `userUnknown`
     * @example
     * console.log(await client.users.sessions(7))
     */
    sessions: (id: number, options?: CallOptions) =>
      ask<Array<UserSession>>('GET', path`/users/${id}/sessions`, {}, options),

    /**
     * End the sessions of a user. Sessions in the tenant in scope, the browser sign-ins used there, and their sessions
     * in other tenants. Needs the permission `user:update`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `targetOutranksCaller`; 404 `userUnknown`
     * @example
     * await client.users.endSessions(7)
     */
    endSessions: (id: number, options?: CallOptions) =>
      ask<null>('DELETE', path`/users/${id}/sessions`, {}, options),

    /**
     * Import users. Up to 1,000 users from elsewhere in one transaction. Each row is created or refused for itself.
     * Each one counts as a request, unless the caller holds `tenant:enter`. Needs the permission `user:create`. Each
     * row is created or refused for itself.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `grantExceedsOwn`, `grantOutlastsOwn`
     * @example
     * const { results } = await client.users.import({ rows: [{ email: 'grace@example.com' }, { email: 'ada@example.com' }] })
     * for (const { status, error } of results) console.log(status, error?.message ?? '')
     */
    import: (body: ImportUsers, options?: CallOptions) =>
      ask<ImportedUsers>('POST', '/users/import', { body }, options),

    /**
     * Export what the tenant stores about a user. A JSON file, without what belongs to the account of the person. It
     * leaves a record. Needs the permissions `user:read` and `audit:read`. The answer's `body` is a stream, and
     * `json()` reads the whole file.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `userUnknown`
     * @example
     * const file = await client.users.export(7)
     * const { user, records_about } = (await file.json()) as UserExport
     * console.log(user.email, records_about.length)
     */
    export: (id: number, options?: CallOptions) =>
      askFile('GET', path`/users/${id}/export`, { isJson: true }, options),

  },

  /**
   * Invitations to the tenant in scope.
   */
  invitations: {
    /**
     * List invitations. Invitations of the tenant in scope, newest first. A closed invitation is deleted after 90
     * days. Needs the permission `user:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * console.log((await client.invitations.list()).items)
     */
    list: (query: ListInvitationsQuery = {}, options?: CallOptions) =>
      askPage<Invitation>('/invitations', query, options),

    /**
     * Invite a person. Mails a link that lives 7 days; where e-mail is off, the answer shows it. The caller must hold
     * all permissions of the roles. Needs the permission `user:create`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `grantExceedsOwn`, `grantOutlastsOwn`,
     * `limitReached`; 404 `roleUnknown`; 409 `emailTaken`, `invitationOpen`
     * @example
     * const { link } = await client.invitations.create({ email: 'grace@example.com', role_ids: [3] })
     * console.log(link || 'the link was mailed')
     */
    create: (body: CreateInvitation, options?: CallOptions) =>
      ask<Invitation>('POST', '/invitations', { body }, options),

    /**
     * Send an invitation again. The new link lives 7 days, and the earlier one is dead. Needs the permission
     * `user:create`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `grantExceedsOwn`, `grantOutlastsOwn`,
     * `limitReached`; 404 `invitationUnknown`
     * @example
     * console.log(await client.invitations.resend(7))
     */
    resend: (id: number, options?: CallOptions) =>
      ask<Invitation>('POST', path`/invitations/${id}/resend`, {}, options),

    /**
     * Revoke an invitation. Needs the permission `user:create`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `invitationUnknown`
     * @example
     * await client.invitations.revoke(7)
     */
    revoke: (id: number, options?: CallOptions) =>
      ask<null>('DELETE', path`/invitations/${id}`, {}, options),

  },

  /**
   * Callers without e-mail and password, such as the backend of a product. Roles are given to them as to users:
   * `roles.assign({ userId: account.id, roleId })`.
   */
  serviceAccounts: {
    /**
     * List service accounts. Service accounts of the tenant in scope, ordered by id. Needs the permission
     * `service_account:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * console.log((await client.serviceAccounts.list()).items)
     */
    list: (query: ListServiceAccountsQuery = {}, options?: CallOptions) =>
      askPage<ServiceAccount>('/service-accounts', query, options),

    /**
     * Create a service account. It starts without roles and keys. Roles are given by `/rbac/users/{userId}/roles`.
     * Needs the permission `service_account:create`.
     *
     * @throws ApiError 400 `invalidInput`, `serviceAccountsFull`; 403 `permissionMissing`, `limitReached`; 409
     * `serviceAccountNameTaken`
     * @example
     * const account = await client.serviceAccounts.create({ name: 'Billing' })
     * await client.roles.assign({ userId: account.id, roleId: 8 })
     */
    create: (body: CreateServiceAccount, options?: CallOptions) =>
      ask<ServiceAccount>('POST', '/service-accounts', { body }, options),

    /**
     * Read a service account. Needs the permission `service_account:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `serviceAccountUnknown`
     * @example
     * console.log(await client.serviceAccounts.get(7))
     */
    get: (id: number, options?: CallOptions) =>
      ask<ServiceAccount>('GET', path`/service-accounts/${id}`, {}, options),

    /**
     * Change a service account. The keys of a disabled account get 401, and work again when it is enabled. Needs the
     * permission `service_account:update`.
     *
     * @throws ApiError 400 `invalidInput`, `ownAccount`; 403 `permissionMissing`, `targetOutranksCaller`; 404
     * `serviceAccountUnknown`; 409 `serviceAccountNameTaken`
     * @example
     * console.log(await client.serviceAccounts.update(7, { name: 'Billing', description: 'Backend of the billing', status: 1 }))
     */
    update: (id: number, body: UpdateServiceAccount = {}, options?: CallOptions) =>
      ask<ServiceAccount>('PUT', path`/service-accounts/${id}`, { body }, options),

    /**
     * Delete a service account with its keys. Needs the permission `service_account:delete`.
     *
     * @throws ApiError 400 `invalidInput`, `ownAccount`, `directoryAccount`; 403 `permissionMissing`,
     * `targetOutranksCaller`; 404 `serviceAccountUnknown`
     * @example
     * await client.serviceAccounts.delete(7)
     */
    delete: (id: number, options?: CallOptions) =>
      ask<null>('DELETE', path`/service-accounts/${id}`, {}, options),

    /**
     * The keys of a service account.
     */
    keys: {
      /**
       * List the keys of a service account. Needs the permission `service_account:read`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `serviceAccountUnknown`
       * @example
       * console.log(await client.serviceAccounts.keys.list(7))
       */
      list: (id: number, options?: CallOptions) =>
        ask<Array<Key>>('GET', path`/service-accounts/${id}/keys`, {}, options),

      /**
       * Create a key of a service account. The answer shows the secret this once. Needs the permission
       * `service_account:update`.
       *
       * @throws ApiError 400 `invalidInput`, `keysFull`; 403 `permissionMissing`, `targetOutranksCaller`,
       * `grantOutlastsOwn`, `keyExceedsOwn`; 404 `serviceAccountUnknown`
       * @example
       * const { secret } = await client.serviceAccounts.keys.create(12, { name: 'Production' })
       * console.log(secret)
       */
      create: (id: number, body: CreateKey, options?: CallOptions) =>
        ask<CreatedKey>('POST', path`/service-accounts/${id}/keys`, { body }, options),

      /**
       * Revoke a key. Needs the permission `service_account:update`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `targetOutranksCaller`; 404
       * `serviceAccountUnknown`, `keyUnknown`
       * @example
       * await client.serviceAccounts.keys.delete({ accountId: 12, keyId: 31 })
       */
      delete: ({ accountId: id, keyId }: KeyOfAccount, options?: CallOptions) =>
        ask<null>('DELETE', path`/service-accounts/${id}/keys/${keyId}`, {}, options),
    },
  },

  /**
   * Tenants of the installation. All but the user's own tenant are for platform administrators.
   */
  tenants: {
    /**
     * List tenants. All of them, or a page where `page` or `page_size` is given. The header `X-Total-Count` tells how
     * many match. Needs the permission `tenant:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * const { items, total } = await client.tenants.find({ search: 'engines', page: 1, page_size: 50 })
     * console.log(items.length, total)
     */
    find: (query: ListTenantsQuery = {}, options?: CallOptions) =>
      askCounted<ListedTenant>('/org/tenants', query, options),

    /**
     * List tenants. All of them, or a page where `page` or `page_size` is given. The header `X-Total-Count` tells how
     * many match. Needs the permission `tenant:read`. Without a page: all tenants.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * for (const { id, name } of await client.tenants.list()) console.log(id, name)
     */
    list: (options?: CallOptions) => ask<Array<ListedTenant>>('GET', '/org/tenants', {}, options),

    /**
     * Create a tenant. The tenant has its system roles from the start, and status 1. With `admin_email` it has an
     * invitation to its role `admin` as well, which lives while the caller may create tenants. Needs the permission
     * `tenant:create`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `limitReached`; 409 `slugTaken`
     * @example
     * const tenant = await client.tenants.create({ name: 'Analytical Engines', slug: 'analytical-engines' })
     * await client.inTenant(tenant.id).roles.create({ name: 'Editors' })
     */
    create: (body: CreateTenant, query: CreateTenantQuery = {}, options?: CallOptions) =>
      ask<CreatedTenant>('POST', '/org/tenants', { body, query }, options),

    /**
     * Read a tenant. The own tenant needs no permission; another tenant needs tenant:read. Needs a signed-in user or a
     * key.
     *
     * @throws ApiError 400 `invalidInput`
     * @example
     * console.log(await client.tenants.get('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'))
     */
    get: (id: string, options?: CallOptions) => ask<Tenant>('GET', path`/org/tenants/${id}`, {}, options),

    /**
     * Change a tenant. Disabling a tenant suspends its users at once. Needs the permission `tenant:update`.
     *
     * @throws ApiError 400 `invalidInput`, `builtInTenant`; 403 `permissionMissing`; 409 `slugTaken`
     * @example
     * console.log(await client.tenants.update('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b', { name: 'Analytical Engines', slug: 'analytical-engines', status: 1 }))
     */
    update: (id: string, body: UpdateTenant = {}, options?: CallOptions) =>
      ask<Tenant>('PUT', path`/org/tenants/${id}`, { body }, options),

    /**
     * Delete a tenant and all its data. Needs the permission `tenant:delete`.
     *
     * @throws ApiError 400 `invalidInput`, `builtInTenant`; 403 `permissionMissing`
     * @example
     * await client.tenants.delete('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b')
     */
    delete: (id: string, options?: CallOptions) =>
      ask<null>('DELETE', path`/org/tenants/${id}`, {}, options),

    /**
     * Read what the tenant uses of its limits. The own tenant needs user:read; another tenant needs tenant:read. Needs
     * a signed-in user or a key.
     *
     * @throws ApiError as every method
     * @example
     * console.log(await client.tenants.usage())
     */
    usage: (options?: CallOptions) => ask<Usage>('GET', '/org/usage', {}, options),

    /**
     * List what every tenant uses of its limits. Ordered by the id of the tenant. Needs the permissions `tenant:read`
     * and `tenant:enter`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * console.log((await client.tenants.usages()).items)
     */
    usages: (query: ListUsageQuery = {}, options?: CallOptions) =>
      askPage<TenantUsage>('/org/usage/tenants', query, options),

  },

  /**
   * The catalogue of permissions.
   */
  permissions: {
    /**
     * List the permission catalogue. Platform-only permissions are listed only in the built-in tenant. Needs the
     * permission `role:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * console.log(await client.permissions.list())
     */
    list: (query: ListPermissionsQuery = {}, options?: CallOptions) =>
      ask<Array<Permission>>('GET', '/rbac/permissions', { query }, options),

    /**
     * Create a permission of the product. It exists in every tenant. The system roles hold it by their rules. Needs
     * the permission `catalogue:manage`.
     *
     * @throws ApiError 400 `invalidInput`, `catalogueFull`, `moduleReserved`; 403 `permissionMissing`; 409
     * `permissionCodeTaken`
     * @example
     * console.log(await client.permissions.create({ code: 'invoice:read', name: 'Read invoices', description: 'May edit settings' }))
     */
    create: (body: CreatePermission, options?: CallOptions) =>
      ask<Permission>('POST', '/rbac/permissions', { body }, options),

    /**
     * Change a permission of the product. The code never changes. A built-in permission cannot be changed. Needs the
     * permission `catalogue:manage`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `builtInPermission`; 404 `permissionUnknown`
     * @example
     * console.log(await client.permissions.update(7, { name: 'Read invoices', description: 'May edit settings' }))
     */
    update: (id: number, body: UpdatePermission = {}, options?: CallOptions) =>
      ask<Permission>('PUT', path`/rbac/permissions/${id}`, { body }, options),

    /**
     * Delete a permission of the product. Removes it from every role of every tenant. A built-in permission cannot be
     * deleted. Needs the permission `catalogue:manage`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `builtInPermission`; 404 `permissionUnknown`
     * @example
     * await client.permissions.delete(7)
     */
    delete: (id: number, options?: CallOptions) =>
      ask<null>('DELETE', path`/rbac/permissions/${id}`, {}, options),

  },

  /**
   * Roles of the tenant in scope, with their permissions and holders.
   */
  roles: {
    /**
     * List roles. Needs the permission `role:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * console.log(await client.roles.list())
     */
    list: (query: ListRolesQuery = {}, options?: CallOptions) =>
      ask<Array<ListedRole>>('GET', '/rbac/roles', { query }, options),

    /**
     * Create a role. Needs the permission `role:create`.
     *
     * @throws ApiError 400 `invalidInput`, `rolesFull`; 403 `permissionMissing`, `limitReached`; 409 `roleNameTaken`
     * @example
     * const role = await client.roles.create({ name: 'Editors', description: 'May edit settings' })
     * await client.roles.replacePermissions(role.id, [15, 16])
     */
    create: (body: CreateRole, options?: CallOptions) => ask<Role>('POST', '/rbac/roles', { body }, options),

    /**
     * Read a role with its permissions. Needs the permission `role:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `roleUnknown`
     * @example
     * console.log(await client.roles.get(7))
     */
    get: (id: number, options?: CallOptions) => ask<Role>('GET', path`/rbac/roles/${id}`, {}, options),

    /**
     * Change a role. Needs the permission `role:update`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `systemRole`, `targetOutranksCaller`; 404
     * `roleUnknown`; 409 `roleNameTaken`
     * @example
     * console.log(await client.roles.update(7, { name: 'Editors', description: 'May edit settings' }))
     */
    update: (id: number, body: UpdateRole = {}, options?: CallOptions) =>
      ask<Role>('PUT', path`/rbac/roles/${id}`, { body }, options),

    /**
     * Delete a role. Removes it from its holders. A system role cannot be deleted. Needs the permission `role:delete`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `systemRole`, `targetOutranksCaller`; 404
     * `roleUnknown`
     * @example
     * await client.roles.delete(7)
     */
    delete: (id: number, options?: CallOptions) => ask<null>('DELETE', path`/rbac/roles/${id}`, {}, options),

    /**
     * List a role's permissions. Needs the permission `role:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `roleUnknown`
     * @example
     * console.log(await client.roles.permissions(7))
     */
    permissions: (id: number, options?: CallOptions) =>
      ask<Array<Permission>>('GET', path`/rbac/roles/${id}/permissions`, {}, options),

    /**
     * Replace a role's whole permission set. Nobody gives a permission they do not hold. Needs the permission
     * `role:update`.
     *
     * @throws ApiError 400 `invalidInput`, `platformOnlyPermission`, `unknownPermission`; 403 `permissionMissing`,
     * `systemRole`, `grantExceedsOwn`, `grantOutlastsOwn`, `targetOutranksCaller`; 404 `roleUnknown`
     * @example
     * const readable = (await client.permissions.list()).filter(({ code }) => code.endsWith(':read'))
     * await client.roles.replacePermissions(8, readable.map(({ id }) => id))
     */
    replacePermissions: (id: number, permissionIds: number[], options?: CallOptions) =>
      ask<null>('PUT', path`/rbac/roles/${id}/permissions`, { body: { permission_ids: permissionIds } }, options),

    /**
     * List the users who hold a role. Ordered by id. Needs the permissions `role:read` and `user:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `roleUnknown`
     * @example
     * console.log((await client.roles.holders(7)).items)
     */
    holders: (id: number, query: ListRoleUsersQuery = {}, options?: CallOptions) =>
      askPage<User>(path`/rbac/roles/${id}/users`, query, options),

    /**
     * List the users who hold a role, in a loop over all of them. It fetches a page of 200 when the loop comes to it,
     * unless `page_size` says otherwise. The loop may change and delete items: none comes twice, and none is missed.
     *
     * @throws ApiError from the loop: 400 `invalidInput`; 403 `permissionMissing`; 404 `roleUnknown`
     * @example
     * for await (const user of client.roles.allHolders(8)) console.log(user.email)
     */
    allHolders: (id: number, query: WholeList<ListRoleUsersQuery> = {}, options?: CallOptions) =>
      askAll<User>(path`/rbac/roles/${id}/users`, 'after_id', query, options),

    /**
     * Give a role to many users, or take it. By the rules for one user, in one transaction. A refusal concerns one
     * user: the others are changed. Needs the permission `role:assign`.
     *
     * @throws ApiError 400 `invalidInput`, `lastPlatformAdmin`, `lastWayIn`; 403 `permissionMissing`,
     * `grantExceedsOwn`, `grantOutlastsOwn`; 404 `roleUnknown`
     * @example
     * console.log(await client.roles.changeUsers(7, { user_ids: [7, 8], held: true, expires_at: '2026-01-31T09:30:00.000Z' }))
     */
    changeUsers: (id: number, body: ChangeHolders, options?: CallOptions) =>
      ask<ChangedUsers>('POST', path`/rbac/roles/${id}/users`, { body }, options),

    /**
     * List the roles a user holds. Own roles need no permission; those of others need role:read. Needs a signed-in
     * user or a key.
     *
     * @throws ApiError 400 `invalidInput`; 404 `userUnknown`
     * @example
     * console.log(await client.roles.ofUser(7))
     */
    ofUser: (userId: number, options?: CallOptions) =>
      ask<Array<Role>>('GET', path`/rbac/users/${userId}/roles`, {}, options),

    /**
     * Assign a role to a user. Nobody assigns a role that carries a permission they do not hold. Needs the permission
     * `role:assign`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `grantExceedsOwn`, `grantOutlastsOwn`,
     * `targetOutranksCaller`; 404 `userUnknown`, `roleUnknown`; 409 `roleAlreadyHeld`
     * @example
     * await client.roles.assign({ userId: 7, roleId: 8 })
     */
    assign: ({ userId, roleId, expiresAt }: Assignment & { expiresAt?: string | undefined }, options?: CallOptions) =>
      ask<null>('POST', path`/rbac/users/${userId}/roles`, { body: { role_id: roleId, ...(expiresAt === undefined ? {} : { expires_at: expiresAt }) } }, options),

    /**
     * Change when a role of a user ends. A later end, or none, needs what assigning needs. Needs the permission
     * `role:assign`.
     *
     * @throws ApiError 400 `invalidInput`, `lastPlatformAdmin`; 403 `permissionMissing`, `grantExceedsOwn`,
     * `grantOutlastsOwn`, `targetOutranksCaller`, `roleMapped`; 404 `userUnknown`, `roleUnknown`, `assignmentUnknown`
     * @example
     * await client.roles.changeAssignmentEnd({ userId: 7, roleId: 8 }, '2026-01-31T09:30:00.000Z')
     */
    changeAssignmentEnd: ({ userId, roleId }: Assignment, expiresAt: string | null, options?: CallOptions) =>
      ask<null>('PUT', path`/rbac/users/${userId}/roles/${roleId}`, { body: { expires_at: expiresAt } }, options),

    /**
     * Remove a role from a user. Needs the permission `role:assign`.
     *
     * @throws ApiError 400 `invalidInput`, `lastPlatformAdmin`; 403 `permissionMissing`, `targetOutranksCaller`,
     * `roleMapped`; 404 `userUnknown`, `roleUnknown`, `assignmentUnknown`
     * @example
     * await client.roles.unassign({ userId: 7, roleId: 8 })
     */
    unassign: ({ userId, roleId }: Assignment, options?: CallOptions) =>
      ask<null>('DELETE', path`/rbac/users/${userId}/roles/${roleId}`, {}, options),

    /**
     * List assignments of roles. Own assignments (`user_id`) need no permission; those of others need role:read and
     * user:read. Ordered by id. Needs a signed-in user or a key.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * console.log((await client.roles.assignments()).items)
     */
    assignments: (query: ListAssignmentsQuery = {}, options?: CallOptions) =>
      askPage<RoleAssignment>('/rbac/assignments', query, options),

    /**
     * List assignments of roles, in a loop over all of them. It fetches a page of 200 when the loop comes to it,
     * unless `page_size` says otherwise. The loop may change and delete items: none comes twice, and none is missed.
     *
     * @throws ApiError from the loop: 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * for await (const { user, role } of client.roles.allAssignments()) console.log(user.name, role.name)
     */
    allAssignments: (query: WholeList<ListAssignmentsQuery> = {}, options?: CallOptions) =>
      askAll<RoleAssignment>('/rbac/assignments', 'after_id', query, options),

    /**
     * List the roles a user is eligible for. Own ones need no permission; those of others need role:read. Needs a
     * signed-in user or a key.
     *
     * @throws ApiError 400 `invalidInput`; 404 `userUnknown`
     * @example
     * console.log(await client.roles.eligible(7))
     */
    eligible: (userId: number, options?: CallOptions) =>
      ask<Array<EligibleRole>>('GET', path`/rbac/users/${userId}/eligible-roles`, {}, options),

    /**
     * Make a user eligible for a role. The role counts only in a session that starts it. Needs what assigning needs,
     * and a second factor. Needs the permission `role:assign`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `mfaRequired`, `ownSessionNeeded`,
     * `grantExceedsOwn`, `grantOutlastsOwn`; 404 `userUnknown`, `roleUnknown`; 409 `roleAlreadyHeld`,
     * `roleAlreadyEligible`
     * @example
     * await client.roles.makeEligible(7, { role_id: 7, max_minutes: 60, expires_at: '2026-01-31T09:30:00.000Z' })
     */
    makeEligible: (userId: number, body: MakeEligible, options?: CallOptions) =>
      ask<null>('POST', path`/rbac/users/${userId}/eligible-roles`, { body }, options),

    /**
     * End the eligibility of a user for a role. Ends elevations by it at once. Needs the permission `role:assign`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `mfaRequired`, `ownSessionNeeded`,
     * `targetOutranksCaller`; 404 `userUnknown`, `roleUnknown`, `eligibilityUnknown`
     * @example
     * await client.roles.endEligibility(7, 7)
     */
    endEligibility: (userId: number, roleId: number, options?: CallOptions) =>
      ask<null>('DELETE', path`/rbac/users/${userId}/eligible-roles/${roleId}`, {}, options),

    /**
     * List elevations. Own ones (`user_id`) need no permission; those of others need role:read. Newest first. Needs a
     * signed-in user or a key.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * console.log((await client.roles.elevations()).items)
     */
    elevations: (query: ListElevationsQuery = {}, options?: CallOptions) =>
      askPage<Elevation>('/elevations', query, options),

    /**
     * Start a role for some minutes, in this session. Needs an own session with a second factor. Acts in the own
     * tenant. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`; 403 `mfaRequired`, `ownSessionNeeded`, `notEligible`; 404 `roleUnknown`;
     * 409 `elevationActive`
     * @example
     * console.log(await client.roles.startElevation({ role_id: 7, minutes: 60, reason: 'Ticket 4711: the export of March' }))
     */
    startElevation: (body: StartElevation, options?: CallOptions) =>
      ask<Elevation>('POST', '/elevations', { body }, options),

    /**
     * End an elevation. Own ones need no permission; those of others need role:assign, and rank. Needs a signed-in
     * user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`; 403 `mfaRequired`, `ownSessionNeeded`, `permissionMissing`,
     * `targetOutranksCaller`; 404 `elevationUnknown`
     * @example
     * await client.roles.endElevation(7)
     */
    endElevation: (id: number, options?: CallOptions) =>
      ask<null>('DELETE', path`/elevations/${id}`, {}, options),

  },

  /**
   * Sessions in which somebody works as a user, for some minutes.
   */
  support: {
    /**
     * List support sessions. Own ones (`mine`, or the own `user_id`) need no permission; others need support:allow or
     * audit:read. Newest first. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`
     * @example
     * console.log((await client.support.sessions()).items)
     */
    sessions: (query: ListSupportSessionsQuery = {}, options?: CallOptions) =>
      askPage<SupportSession>('/support/sessions', query, options),

    /**
     * Ask to work as a user for some minutes. Needs support:view or support:act by kind, and an own session with a
     * second factor. Staff name the tenant by X-Tenant-ID. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`; 403 `ownSessionNeeded`, `mfaRequired`, `supportRefused`,
     * `targetOutranksCaller`; 404 `userUnknown`
     * @example
     * console.log(await client.support.request({ user_id: 7, kind: 'view', reason: 'Ticket 4711: the export of March', minutes: 30 }))
     */
    request: (body: RequestSupport, options?: CallOptions) =>
      ask<SupportSession>('POST', '/support/sessions', { body }, options),

    /**
     * Read a support session. Actor and user need no permission; others need support:allow or audit:read. Needs a
     * signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`; 404 `supportUnknown`
     * @example
     * console.log(await client.support.session('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'))
     */
    session: (id: string, query: GetSupportSessionQuery = {}, options?: CallOptions) =>
      ask<SupportSession>('GET', path`/support/sessions/${id}`, { query }, options),

    /**
     * End a support session, or take back its question. For the actor, for the user in any session of the person, and
     * for users of the tenant with support:allow. Needs a signed-in user, also of a disabled tenant; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`; 404 `supportUnknown`; 409 `supportStatusWrong`
     * @example
     * await client.support.end('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b')
     */
    end: (id: string, options?: CallOptions) =>
      ask<null>('DELETE', path`/support/sessions/${id}`, {}, options),

    /**
     * Allow or refuse a support session. For the user, and for users of the tenant with support:allow, a second factor
     * and rank over the user. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`; 403 `ownSessionNeeded`, `mfaRequired`, `supportRefused`,
     * `targetOutranksCaller`; 404 `supportUnknown`; 409 `supportStatusWrong`
     * @example
     * console.log(await client.support.decide('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b', { allow: true }))
     */
    decide: (id: string, body: DecideSupport, options?: CallOptions) =>
      ask<SupportSession>('POST', path`/support/sessions/${id}/decide`, { body }, options),

    /**
     * Get a token of an own support session. The first one starts its clock. The same session of the actor gets more,
     * until it ends. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`; 403 `ownSessionNeeded`, `mfaRequired`, `supportRefused`,
     * `targetOutranksCaller`; 404 `supportUnknown`; 409 `supportStatusWrong`, `supportActive`
     * @example
     * console.log(await client.support.issueToken('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'))
     */
    issueToken: (id: string, options?: CallOptions) =>
      ask<SupportToken>('POST', path`/support/sessions/${id}/token`, {}, options),

    /**
     * Open a product in an own support session. The code lives 60 seconds, and works once, at the token endpoint (RFC
     * 8693). Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`; 403 `ownSessionNeeded`, `mfaRequired`, `supportRefused`; 404
     * `supportUnknown`, `applicationUnknown`; 409 `supportStatusWrong`
     * @example
     * console.log(await client.support.openProduct('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b', { application_id: 7, code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' }))
     */
    openProduct: (id: string, body: OpenProduct, options?: CallOptions) =>
      ask<OpenedProduct>('POST', path`/support/sessions/${id}/code`, { body }, options),

  },

  /**
   * Changes that others must approve.
   */
  approvals: {
    /**
     * List the operations that need approvals. Needs the permission `approval:read`.
     *
     * @throws ApiError 403 `permissionMissing`
     * @example
     * console.log(await client.approvals.policies())
     */
    policies: (options?: CallOptions) =>
      ask<Array<ApprovalPolicy>>('GET', '/approval-policies', {}, options),

    /**
     * Make an operation depend on approvals. Needs an own session with a second factor. While the tenant has a policy,
     * this needs approvals itself, and so does giving `approval:decide`, `approval:manage` or `approval:break_glass`,
     * and recovering a user who may decide. Needs the permission `approval:manage`.
     *
     * @throws ApiError 400 `invalidInput`, `approversFew`, `unknownPermission`; 403 `permissionMissing`,
     * `approvalElsewhere`, `mfaRequired`, `ownSessionNeeded`
     * @example
     * console.log(await client.approvals.putPolicy('authority.give', { approvals: 1, permission_codes: ['user:delete'], break_glass: false }))
     */
    putPolicy: (operation: string, body: PutApprovalPolicy, options?: CallOptions) =>
      ask<ApprovalPolicy>('PUT', path`/approval-policies/${operation}`, { body }, options),

    /**
     * Delete the policy of an operation. Needs an own session with a second factor, and approvals. Needs the
     * permission `approval:manage`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `approvalElsewhere`, `mfaRequired`,
     * `ownSessionNeeded`; 404 `approvalPolicyUnknown`
     * @example
     * await client.approvals.deletePolicy('authority.give')
     */
    deletePolicy: (operation: string, options?: CallOptions) =>
      ask<null>('DELETE', path`/approval-policies/${operation}`, {}, options),

    /**
     * List changes that need approval. All of the tenant with `approval:read` or `approval:decide`, else own ones.
     * Newest first. Needs a signed-in user or a key.
     *
     * @throws ApiError 400 `invalidInput`
     * @example
     * console.log((await client.approvals.list()).items)
     */
    list: (query: ListApprovalsQuery = {}, options?: CallOptions) =>
      askPage<Approval>('/approvals', query, options),

    /**
     * Ask others to approve a change. Makes the change in a transaction that is rolled back, and is refused as the
     * change is. Once it is approved, send the request itself with the header `X-Approval-ID`. Keys may ask; people
     * need an own session with a second factor. Needs a signed-in user or a key.
     *
     * @throws ApiError 400 `invalidInput`, `approvalUnasked`; 403 `breakGlassOff`, `approvalElsewhere`, `mfaRequired`,
     * `ownSessionNeeded`
     * @example
     * console.log(await client.approvals.ask({
     *   method: 'POST',
     *   path: '/rbac/users/7/roles',
     *   body: { role_id: 7 },
     *   reason: 'Ticket 4711: Grace takes over the support',
     *   break_glass: false,
     * }))
     */
    ask: (body: AskApproval, options?: CallOptions) =>
      ask<Approval>('POST', '/approvals', { body }, options),

    /**
     * Get one change that needs approval. Own ones need no permission; those of others `approval:read` or
     * `approval:decide`. Needs a signed-in user or a key.
     *
     * @throws ApiError 400 `invalidInput`; 404 `approvalUnknown`
     * @example
     * console.log(await client.approvals.get(7))
     */
    get: (id: number, options?: CallOptions) => ask<Approval>('GET', path`/approvals/${id}`, {}, options),

    /**
     * Cancel a change that waits for approval. Own ones need no permission; those of others `approval:manage`. Needs a
     * signed-in user or a key.
     *
     * @throws ApiError 400 `invalidInput`; 403 `mfaRequired`, `ownSessionNeeded`, `permissionMissing`; 404
     * `approvalUnknown`; 409 `approvalOver`
     * @example
     * await client.approvals.cancel(7)
     */
    cancel: (id: number, options?: CallOptions) => ask<null>('DELETE', path`/approvals/${id}`, {}, options),

    /**
     * Approve or reject a change. For own users of the tenant, neither the requester nor the person concerned, who
     * could make the change themselves. One rejection ends it. Needs the permission `approval:decide`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `ownApproval`, `approvalElsewhere`, `mfaRequired`,
     * `ownSessionNeeded`; 404 `approvalUnknown`; 409 `approvalOver`, `approvalOutdated`, `alreadyDecided`
     * @example
     * console.log(await client.approvals.decide(7, {
     *   approve: true,
     *   digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
     *   comment: 'As agreed',
     * }))
     */
    decide: (id: number, body: DecideApproval, options?: CallOptions) =>
      ask<Approval>('POST', path`/approvals/${id}/decide`, { body }, options),

  },

  /**
   * Role templates: roles of every tenant, which the tenants can assign and cannot change.
   */
  roleTemplates: {
    /**
     * List role templates. A template is a role of every tenant; platform-admin is a role only of the built-in tenant.
     * Needs the permission `role:read`.
     *
     * @throws ApiError 403 `permissionMissing`
     * @example
     * console.log(await client.roleTemplates.list())
     */
    list: (options?: CallOptions) => ask<Array<RoleTemplate>>('GET', '/rbac/role-templates', {}, options),

    /**
     * Create a role of every tenant. A role of a tenant that has its name is renamed. Needs the permission
     * `catalogue:manage`.
     *
     * @throws ApiError 400 `invalidInput`, `platformOnlyPermission`, `unknownPermission`, `catalogueFull`; 403
     * `permissionMissing`, `grantExceedsOwn`, `grantOutlastsOwn`; 409 `templateNameTaken`
     * @example
     * console.log(await client.roleTemplates.create({ name: 'Editors', description: 'May edit settings', permission_ids: [16, 17] }))
     */
    create: (body: CreateRoleTemplate, options?: CallOptions) =>
      ask<RoleTemplate>('POST', '/rbac/role-templates', { body }, options),

    /**
     * Change a role of every tenant. Needs every permission that it carries before and after. A system role cannot be
     * changed. Needs the permission `catalogue:manage`.
     *
     * @throws ApiError 400 `invalidInput`, `platformOnlyPermission`, `unknownPermission`; 403 `permissionMissing`,
     * `systemRole`, `grantExceedsOwn`, `grantOutlastsOwn`, `targetOutranksCaller`; 404 `templateUnknown`; 409
     * `templateNameTaken`
     * @example
     * console.log(await client.roleTemplates.update(7, {
     *   name: 'Editors',
     *   description: 'May edit settings',
     *   permission_ids: [16, 17],
     *   given_to_new_users: false,
     * }))
     */
    update: (id: number, body: UpdateRoleTemplate = {}, options?: CallOptions) =>
      ask<RoleTemplate>('PUT', path`/rbac/role-templates/${id}`, { body }, options),

    /**
     * Delete a role of every tenant. Removes it from its holders. A system role cannot be deleted. Needs the
     * permission `catalogue:manage`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `systemRole`, `targetOutranksCaller`; 404
     * `templateUnknown`
     * @example
     * await client.roleTemplates.delete(7)
     */
    delete: (id: number, options?: CallOptions) =>
      ask<null>('DELETE', path`/rbac/role-templates/${id}`, {}, options),

  },

  /**
   * The applications that people sign in to with this installation.
   */
  applications: {
    /**
     * List applications. Ordered by id; those that registered themselves too, unless `is_registered` leaves them out.
     * Needs the permission `application:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * console.log((await client.applications.list()).items)
     */
    list: (query: ListApplicationsQuery = {}, options?: CallOptions) =>
      askPage<Application>('/applications', query, options),

    /**
     * Create an application. A first-party application also needs `tenant:enter`; an application with `tenantry_api`
     * needs every permission. Needs the permission `application:manage`.
     *
     * @throws ApiError 400 `invalidInput`, `applicationsFull`, `unknownPermission`; 403 `permissionMissing`,
     * `grantExceedsOwn`, `grantOutlastsOwn`
     * @example
     * const { client_id, secret } = await client.applications.create({
     *   name: 'Shop',
     *   kind: 'web',
     *   redirect_uris: ['https://shop.example.com/callback'],
     * })
     * console.log(client_id, secret)
     */
    create: (body: CreateApplication, options?: CallOptions) =>
      ask<CreatedApplication>('POST', '/applications', { body }, options),

    /**
     * Read an application. Needs the permission `application:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `applicationUnknown`
     * @example
     * console.log(await client.applications.get(7))
     */
    get: (id: number, query: GetApplicationQuery = {}, options?: CallOptions) =>
      ask<Application>('GET', path`/applications/${id}`, { query }, options),

    /**
     * Change an application. Its sessions end where it is disabled, or may serve a tenant or a resource no longer.
     * Needs what its creation needs, before and after. Needs the permission `application:manage`.
     *
     * @throws ApiError 400 `invalidInput`, `unknownPermission`; 403 `permissionMissing`, `grantExceedsOwn`,
     * `grantOutlastsOwn`; 404 `applicationUnknown`
     * @example
     * console.log(await client.applications.update(7, {
     *   name: 'Shop',
     *   redirect_uris: ['https://shop.example.com/callback'],
     *   status: 1,
     *   post_logout_redirect_uris: ['https://shop.example.com/'],
     *   backchannel_logout_uri: 'https://shop.example.com/logout',
     *   allowed_origins: ['https://shop.example.com'],
     *   grant_types: ['authorization_code', 'refresh_token'],
     *   resource_ids: [3],
     *   require_mfa: false,
     *   session_seconds: 604800,
     *   tenant_ids: null,
     *   required_permission: null,
     *   tenantry_api: false,
     *   logo: '',
     *   home_url: 'https://shop.example.com/',
     *   support_uri: 'https://shop.example.com/support',
     * }))
     */
    update: (id: number, body: UpdateApplication = {}, options?: CallOptions) =>
      ask<Application>('PUT', path`/applications/${id}`, { body }, options),

    /**
     * Delete an application with its consents, and end its sessions. Needs the permission `application:manage`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `grantExceedsOwn`, `grantOutlastsOwn`; 404
     * `applicationUnknown`
     * @example
     * await client.applications.delete(7)
     */
    delete: (id: number, options?: CallOptions) =>
      ask<null>('DELETE', path`/applications/${id}`, {}, options),

    /**
     * The secrets of a web application: at most two at a time.
     */
    secrets: {
      /**
       * Add a secret to a web application. The answer shows the secret this once. No session ends. Needs the
       * permission `application:manage`.
       *
       * @throws ApiError 400 `invalidInput`, `applicationPublic`, `applicationSecretsFull`; 403 `permissionMissing`,
       * `grantExceedsOwn`, `grantOutlastsOwn`; 404 `applicationUnknown`
       * @example
       * console.log(await client.applications.secrets.create(7, { expires_at: '2099-01-31T09:30:00Z' }))
       */
      create: (id: number, body: CreateSecret = {}, options?: CallOptions) =>
        ask<CreatedSecret>('POST', path`/applications/${id}/secrets`, { body }, options),

      /**
       * Revoke a secret. The secret is refused from the answer on. Sessions continue only with the other secret. Needs
       * the permission `application:manage`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `grantExceedsOwn`, `grantOutlastsOwn`; 404
       * `applicationUnknown`, `applicationSecretUnknown`
       * @example
       * await client.applications.secrets.delete(7, '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b')
       */
      delete: (id: number, secretId: string, options?: CallOptions) =>
        ask<null>('DELETE', path`/applications/${id}/secrets/${secretId}`, {}, options),
    },
  },

  /**
   * Services of the product that take tokens of applications.
   */
  resources: {
    /**
     * List resources. Ordered by id. Needs the permission `application:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * console.log((await client.resources.list()).items)
     */
    list: (query: ListResourcesQuery = {}, options?: CallOptions) =>
      askPage<Resource>('/resources', query, options),

    /**
     * Create a resource. A service of the product that accepts tokens, with the permissions that it uses. Needs the
     * permissions `application:manage` and `tenant:enter`.
     *
     * @throws ApiError 400 `invalidInput`, `resourcesFull`, `unknownPermission`; 403 `permissionMissing`; 409
     * `resourceIdentifierTaken`
     * @example
     * console.log(await client.resources.create({
     *   identifier: 'https://mcp.example.com/mcp',
     *   name: 'Invoices for assistants',
     *   permission_ids: [1000],
     *   allow_unregistered: false,
     * }))
     */
    create: (body: CreateResource, options?: CallOptions) =>
      ask<Resource>('POST', '/resources', { body }, options),

    /**
     * Change a resource. Another `identifier` ends the sessions and consents of the resource. Needs the permissions
     * `application:manage` and `tenant:enter`.
     *
     * @throws ApiError 400 `invalidInput`, `unknownPermission`; 403 `permissionMissing`, `resourceBuiltIn`; 404
     * `resourceUnknown`; 409 `resourceIdentifierTaken`
     * @example
     * console.log(await client.resources.update(7, {
     *   identifier: 'https://mcp.example.com/mcp',
     *   name: 'Invoices for assistants',
     *   permission_ids: [1000],
     *   allow_unregistered: false,
     * }))
     */
    update: (id: number, body: UpdateResource = {}, options?: CallOptions) =>
      ask<Resource>('PUT', path`/resources/${id}`, { body }, options),

    /**
     * Delete a resource, and end its sessions and consents. Needs the permissions `application:manage` and
     * `tenant:enter`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `resourceBuiltIn`; 404 `resourceUnknown`
     * @example
     * await client.resources.delete(7)
     */
    delete: (id: number, options?: CallOptions) => ask<null>('DELETE', path`/resources/${id}`, {}, options),

  },

  /**
   * The consents of users of the tenant in scope to applications of other people.
   */
  grants: {
    /**
     * List the consents of users to applications. Those of the tenant in scope, the newest first. Needs the permission
     * `grant:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * console.log((await client.grants.list()).items)
     */
    list: (query: ListGrantsQuery = {}, options?: CallOptions) => askPage<Grant>('/grants', query, options),

    /**
     * Revoke a consent, and end its sessions. Needs the permission `grant:revoke`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `grantUnknown`
     * @example
     * await client.grants.revoke(7)
     */
    revoke: (id: number, options?: CallOptions) => ask<null>('DELETE', path`/grants/${id}`, {}, options),

  },

  /**
   * Decisions whether people and machines keep what they hold.
   */
  reviews: {
    /**
     * List access reviews. Ordered by id. Without review:read a reviewer gets the own ones. Needs a signed-in user or
     * a key.
     *
     * @throws ApiError 400 `invalidInput`
     * @example
     * console.log((await client.reviews.list()).items)
     */
    list: (query: ListReviewsQuery = {}, options?: CallOptions) =>
      askPage<Review>('/reviews', query, options),

    /**
     * Open an access review. Takes a snapshot of what the tenant has of these kinds. Needs an own session with a
     * second factor. Needs the permission `review:manage`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `mfaRequired`, `ownSessionNeeded`; 409
     * `reviewsFull`, `reviewTooLarge`
     * @example
     * console.log(await client.reviews.open({
     *   name: 'First quarter',
     *   kinds: ['roles', 'keys'],
     *   reviewer_ids: [7, 9],
     *   due_at: '2026-01-31T09:30:00.000Z',
     * }))
     */
    open: (body: OpenReview, options?: CallOptions) => ask<Review>('POST', '/reviews', { body }, options),

    /**
     * Read an access review. For its reviewers, and callers with review:read. Needs a signed-in user or a key.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `reviewUnknown`
     * @example
     * console.log(await client.reviews.get(7))
     */
    get: (id: number, options?: CallOptions) => ask<Review>('GET', path`/reviews/${id}`, {}, options),

    /**
     * List the items of an access review. For its reviewers, and callers with review:read. Ordered by id. Needs a
     * signed-in user or a key.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `reviewUnknown`
     * @example
     * console.log((await client.reviews.items(7)).items)
     */
    items: (id: number, query: ListReviewItemsQuery = {}, options?: CallOptions) =>
      askPage<ReviewItem>(path`/reviews/${id}/items`, query, options),

    /**
     * List the items of an access review, in a loop over all of them. It fetches a page of 200 when the loop comes to
     * it, unless `page_size` says otherwise. The loop may change and delete items: none comes twice, and none is
     * missed.
     *
     * @throws ApiError from the loop: 400 `invalidInput`; 403 `permissionMissing`; 404 `reviewUnknown`
     * @example
     * for await (const item of client.reviews.allItems(3)) console.log(item.subject.name, item.outcome)
     */
    allItems: (id: number, query: WholeList<ListReviewItemsQuery> = {}, options?: CallOptions) =>
      askAll<ReviewItem>(path`/reviews/${id}/items`, 'after_id', query, options),

    /**
     * Close an access review. Undecided items stay. The sealed record has the hash of the report. Needs an own session
     * with a second factor. Needs the permission `review:manage`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `mfaRequired`, `ownSessionNeeded`; 404
     * `reviewUnknown`; 409 `reviewClosed`
     * @example
     * console.log(await client.reviews.close(7))
     */
    close: (id: number, options?: CallOptions) =>
      ask<Review>('POST', path`/reviews/${id}/close`, {}, options),

    /**
     * Keep or revoke what items of a review are about. For its reviewers, in an own session with a second factor. A
     * revocation acts as the endpoint of its kind. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`; 403 `mfaRequired`, `ownSessionNeeded`, `notReviewer`, `ownItem`; 404
     * `reviewUnknown`, `reviewItemUnknown`; 409 `reviewClosed`
     * @example
     * console.log(await client.reviews.decide(7, { item_ids: [41, 42], decision: 'keep', comment: 'Left the team' }))
     */
    decide: (id: number, body: DecideReview, options?: CallOptions) =>
      ask<Array<DecidedItem>>('POST', path`/reviews/${id}/decide`, { body }, options),

    /**
     * Export the report of an access review. A JSON file. After the end it always has the same bytes, whose SHA-256
     * the record `review.close` has. Needs a signed-in user or a key. The answer's `body` is a stream, and `json()`
     * reads the whole file.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `reviewUnknown`
     * @example
     * const file = await client.reviews.export(3)
     * const { review, items } = (await file.json()) as { review: { name: string }; items: unknown[] }
     * console.log(review.name, items.length)
     */
    export: (id: number, options?: CallOptions) =>
      askFile('GET', path`/reviews/${id}/report`, { isJson: true }, options),

  },

  /**
   * The audit log of the tenant in scope.
   */
  audit: {
    /**
     * Query the audit log. Records of the tenant in scope, newest first. Needs the permission `audit:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * const { items } = await client.audit.list({ action: 'role.create', include: 'actor', page: 1 })
     * for (const { actor, created_at, detail } of items) console.log(actor?.name, created_at, detail)
     */
    list: (query: ListAuditLogsQuery = {}, options?: CallOptions) =>
      askPage<AuditLog>('/audit/logs', query, options),

    /**
     * Query the audit log, in a loop over all of them. It fetches a page of 200 when the loop comes to it, unless
     * `page_size` says otherwise. The loop may change and delete items: none comes twice, and none is missed.
     *
     * @throws ApiError from the loop: 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * for await (const record of client.audit.all({ resource: 'user' })) {
     *   if (record.created_at < '2026-01-01') break
     *   console.log(record.action, record.resource_id)
     * }
     */
    all: (query: WholeList<ListAuditLogsQuery> = {}, options?: CallOptions) =>
      askAll<AuditLog>('/audit/logs', 'before_id', query, options),

    /**
     * Read an audit record. Needs the permission `audit:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `auditLogUnknown`
     * @example
     * console.log(await client.audit.get(7))
     */
    get: (id: number, query: GetAuditLogQuery = {}, options?: CallOptions) =>
      ask<AuditLog>('GET', path`/audit/logs/${id}`, { query }, options),

    /**
     * Export the audit log. Records of the tenant in scope, oldest first, as a stream. Needs the permission
     * `audit:read`. The answer's `body` is a stream, and `blob()` reads the whole file. `timeoutMs` ends when the file
     * begins. Reading rejects when the connection breaks off, so that no file is cut short unnoticed.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * const file = await client.audit.export({ format: 'csv', from: '2026-01-01T00:00:00Z' })
     * console.log((await file.blob()).size)
     */
    export: (query: ExportAuditLogsQuery = {}, options?: CallOptions) =>
      askFile('GET', '/audit/export', { query }, options),

  },

  /**
   * Settings for all tenants and of the tenant in scope.
   */
  settings: {
    /**
     * Read the portal. The product that people without `tenant:enter` see in place of Tenantry. `return_to` is null
     * unless it is at the origin of the product. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`
     * @example
     * console.log(await client.settings.portal())
     */
    portal: (query: GetPortalQuery = {}, options?: CallOptions) =>
      ask<Portal>('GET', '/portal', { query }, options),

    /**
     * Settings for all tenants.
     */
    global: {
      /**
       * List global settings. Needs the permission `setting:read`.
       *
       * @throws ApiError 403 `permissionMissing`
       * @example
       * console.log(await client.settings.global.list())
       */
      list: (options?: CallOptions) => ask<Array<Setting>>('GET', '/settings', {}, options),

      /**
       * Read a global setting. Needs the permission `setting:read`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `settingUnknown`
       * @example
       * console.log(await client.settings.global.get('mail.sender'))
       */
      get: (key: string, options?: CallOptions) =>
        ask<Setting>('GET', path`/settings/global/${key}`, {}, options),

      /**
       * Create or replace a global setting. Needs the permission `setting:global`.
       *
       * @throws ApiError 400 `invalidInput`, `settingsFull`, `ownWay`; 403 `permissionMissing`, `mfaRequired`; 412
       * `versionOutdated`; 503 `secretsOff`
       * @example
       * await client.settings.global.put('mail.sender', 'no-reply@example.com')
       */
      put: (key: string, value: unknown, options?: CallOptions) =>
        ask<null>('PUT', path`/settings/global/${key}`, { body: { value } }, options),

      /**
       * Delete a global setting. Needs the permission `setting:global`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `mfaRequired`; 404 `settingUnknown`; 412
       * `versionOutdated`
       * @example
       * await client.settings.global.delete('mail.sender')
       */
      delete: (key: string, options?: CallOptions) =>
        ask<null>('DELETE', path`/settings/global/${key}`, {}, options),

      /**
       * List the versions of a global setting, newest first. Needs the permission `setting:global`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
       * @example
       * console.log((await client.settings.global.history('mail.sender')).items)
       */
      history: (key: string, query: ListGlobalSettingVersionsQuery = {}, options?: CallOptions) =>
        askPage<SettingVersion>(path`/settings/global/${key}/history`, query, options),

      /**
       * Write an earlier value of a global setting again. Needs the permission `setting:global`.
       *
       * @throws ApiError 400 `invalidInput`, `settingsFull`, `ownWay`; 403 `permissionMissing`, `mfaRequired`; 404
       * `settingVersionUnknown`; 412 `versionOutdated`
       * @example
       * await client.settings.global.revert('mail.sender', { version: 2 })
       */
      revert: (key: string, body: RevertSetting, options?: CallOptions) =>
        ask<null>('POST', path`/settings/global/${key}/revert`, { body }, options),
    },

    /**
     * Settings of the tenant in scope.
     */
    tenant: {
      /**
       * List settings of the tenant. Needs the permission `setting:read`.
       *
       * @throws ApiError 403 `permissionMissing`
       * @example
       * console.log(await client.settings.tenant.list())
       */
      list: (options?: CallOptions) => ask<Array<Setting>>('GET', '/settings/tenant', {}, options),

      /**
       * Read a setting of the tenant. Needs the permission `setting:read`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `settingUnknown`
       * @example
       * console.log(await client.settings.tenant.get('mail.sender'))
       */
      get: (key: string, options?: CallOptions) =>
        ask<Setting>('GET', path`/settings/tenant/${key}`, {}, options),

      /**
       * Create or replace a setting of the tenant. Needs the permission `setting:update`.
       *
       * @throws ApiError 400 `invalidInput`, `settingsFull`, `connectionUnproved`, `ownWay`; 403 `permissionMissing`,
       * `supportRefused`, `ownSessionNeeded`, `mfaRequired`, `settingLocked`, `targetOutranksCaller`; 412
       * `versionOutdated`; 503 `secretsOff`
       * @example
       * await client.settings.tenant.put('mail.sender', 'no-reply@example.com')
       */
      put: (key: string, value: unknown, options?: CallOptions) =>
        ask<null>('PUT', path`/settings/tenant/${key}`, { body: { value } }, options),

      /**
       * Delete a setting of the tenant. Needs the permission `setting:delete`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `supportRefused`, `ownSessionNeeded`,
       * `mfaRequired`, `targetOutranksCaller`; 404 `settingUnknown`; 412 `versionOutdated`
       * @example
       * await client.settings.tenant.delete('mail.sender')
       */
      delete: (key: string, options?: CallOptions) =>
        ask<null>('DELETE', path`/settings/tenant/${key}`, {}, options),

      /**
       * List the versions of a setting of the tenant, newest first. Needs the permission `setting:read`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
       * @example
       * console.log((await client.settings.tenant.history('mail.sender')).items)
       */
      history: (key: string, query: ListTenantSettingVersionsQuery = {}, options?: CallOptions) =>
        askPage<SettingVersion>(path`/settings/tenant/${key}/history`, query, options),

      /**
       * Write an earlier value of a setting of the tenant again. Needs the permission `setting:update`.
       *
       * @throws ApiError 400 `invalidInput`, `settingsFull`, `connectionUnproved`, `ownWay`; 403 `permissionMissing`,
       * `supportRefused`, `ownSessionNeeded`, `mfaRequired`, `settingLocked`, `targetOutranksCaller`; 404
       * `settingVersionUnknown`; 412 `versionOutdated`
       * @example
       * await client.settings.tenant.revert('mail.sender', { version: 2 })
       */
      revert: (key: string, body: RevertSetting, options?: CallOptions) =>
        ask<null>('POST', path`/settings/tenant/${key}/revert`, { body }, options),
    },

    /**
     * Which settings exist, of which type, with which default.
     */
    definitions: {
      /**
       * List declared settings. Needs the permission `setting:read`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
       * @example
       * console.log((await client.settings.definitions.list()).items)
       */
      list: (query: ListSettingDefinitionsQuery = {}, options?: CallOptions) =>
        askPage<SettingDefinition>('/settings/definitions', query, options),

      /**
       * Declare a setting. Needs the permission `setting:declare`.
       *
       * @throws ApiError 400 `invalidInput`, `storedValuesRefused`, `definitionsFull`; 403 `permissionMissing`,
       * `settingReserved`
       * @example
       * console.log(await client.settings.definitions.put('mail.sender', {
       *   schema: { type: 'string', format: 'email' },
       *   default: 'no-reply@example.com',
       *   scopes: ['tenant'],
       *   secret: false,
       *   public: false,
       *   label: 'Sender of e-mails',
       *   description: 'The address that customers answer to',
       *   group: 'E-mail',
       *   force: false,
       * }))
       */
      put: (key: string, body: PutSettingDefinition, options?: CallOptions) =>
        ask<SettingDefinition>('PUT', path`/settings/definitions/${key}`, { body }, options),

      /**
       * Delete the declaration of a setting. Plain values stay without a declaration. Secrets and values of users are
       * deleted. Needs the permission `setting:declare`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `settingReserved`; 404 `settingUnknown`
       * @example
       * await client.settings.definitions.delete('mail.sender')
       */
      delete: (key: string, options?: CallOptions) =>
        ask<null>('DELETE', path`/settings/definitions/${key}`, {}, options),

      /**
       * Lock a declared setting for tenants and users. Needs the permission `setting:global`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `settingReserved`; 404 `settingUnknown`
       * @example
       * await client.settings.definitions.lock('mail.sender')
       */
      lock: (key: string, options?: CallOptions) =>
        ask<null>('PUT', path`/settings/global/${key}/lock`, {}, options),

      /**
       * Unlock a declared setting. Needs the permission `setting:global`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `settingReserved`; 404 `settingUnknown`
       * @example
       * await client.settings.definitions.unlock('mail.sender')
       */
      unlock: (key: string, options?: CallOptions) =>
        ask<null>('DELETE', path`/settings/global/${key}/lock`, {}, options),
    },

    /**
     * The values that count: of the user, else the tenant, else the installation, else the default.
     */
    effective: {
      /**
       * List the settings that count for a user. Without `setting:read` public keys alone exist. Needs a signed-in
       * user or a key.
       *
       * @throws ApiError 400 `invalidInput`; 404 `userUnknown`
       * @example
       * console.log(await client.settings.effective.list())
       */
      list: (query: ListEffectiveSettingsQuery = {}, options?: CallOptions) =>
        ask<Array<EffectiveSetting>>('GET', '/settings/effective', { query }, options),

      /**
       * Read the setting that counts for a user. Without `setting:read` public keys alone exist. Needs a signed-in
       * user or a key.
       *
       * @throws ApiError 400 `invalidInput`; 404 `userUnknown`, `settingUnknown`
       * @example
       * console.log(await client.settings.effective.get('mail.sender'))
       */
      get: (key: string, query: GetEffectiveSettingQuery = {}, options?: CallOptions) =>
        ask<EffectiveSetting>('GET', path`/settings/effective/${key}`, { query }, options),
    },

    /**
     * Secrets, for the key of a service account.
     */
    secrets: {
      /**
       * Read the values of secrets. For the key of a service account; a person gets 403. Secrets that are not set are
       * left out. Needs the permission `setting:secret`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 503 `secretsOff`
       * @example
       * console.log(await client.settings.secrets.read({ keys: ['smtp.password'] }))
       */
      read: (body: ReadSecrets, options?: CallOptions) =>
        ask<Array<SecretValue>>('POST', '/settings/secrets/read', { body }, options),
    },

    /**
     * Values that the caller has set for themselves.
     */
    own: {
      /**
       * Read a value that the caller has set. Needs a signed-in user; a key gets 403.
       *
       * @throws ApiError 400 `invalidInput`; 404 `settingUnknown`, `userUnknown`
       * @example
       * console.log(await client.settings.own.get('mail.sender'))
       */
      get: (key: string, options?: CallOptions) =>
        ask<UserSetting>('GET', path`/settings/user/${key}`, {}, options),

      /**
       * Set a value for the caller. Needs a signed-in user; a key gets 403.
       *
       * @throws ApiError 400 `invalidInput`, `settingsFull`; 403 `settingLocked`; 404 `userUnknown`
       * @example
       * await client.settings.own.put('mail.sender', 'no-reply@example.com')
       */
      put: (key: string, value: unknown, options?: CallOptions) =>
        ask<null>('PUT', path`/settings/user/${key}`, { body: { value } }, options),

      /**
       * Delete a value that the caller has set. Needs a signed-in user; a key gets 403.
       *
       * @throws ApiError 400 `invalidInput`; 404 `settingUnknown`, `userUnknown`
       * @example
       * await client.settings.own.delete('mail.sender')
       */
      delete: (key: string, options?: CallOptions) =>
        ask<null>('DELETE', path`/settings/user/${key}`, {}, options),
    },

    /**
     * Values of other users.
     */
    users: {
      /**
       * Read a value of a user. Needs the permission `setting:read`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `settingUnknown`, `userUnknown`
       * @example
       * console.log(await client.settings.users.get(7, 'mail.sender'))
       */
      get: (id: number, key: string, options?: CallOptions) =>
        ask<UserSetting>('GET', path`/settings/users/${id}/${key}`, {}, options),

      /**
       * Set a value for a user. Needs the permission `setting:update`.
       *
       * @throws ApiError 400 `invalidInput`, `settingsFull`; 403 `permissionMissing`, `settingLocked`,
       * `targetOutranksCaller`; 404 `userUnknown`
       * @example
       * await client.settings.users.put(7, 'mail.sender', 'no-reply@example.com')
       */
      put: (id: number, key: string, value: unknown, options?: CallOptions) =>
        ask<null>('PUT', path`/settings/users/${id}/${key}`, { body: { value } }, options),

      /**
       * Delete a value of a user. Needs the permission `setting:delete`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `targetOutranksCaller`; 404 `settingUnknown`,
       * `userUnknown`
       * @example
       * await client.settings.users.delete(7, 'mail.sender')
       */
      delete: (id: number, key: string, options?: CallOptions) =>
        ask<null>('DELETE', path`/settings/users/${id}/${key}`, {}, options),
    },
  },

  /**
   * Declared facts about users and tenants.
   */
  attributes: {
    /**
     * List attributes. The attributes that the caller may read; with `attribute:declare` all of them. Needs a
     * signed-in user or a key.
     *
     * @throws ApiError 400 `invalidInput`
     * @example
     * console.log(await client.attributes.list())
     */
    list: (query: ListAttributesQuery = {}, options?: CallOptions) =>
      ask<Array<Attribute>>('GET', '/attributes', { query }, options),

    /**
     * Declare an attribute. An omitted field becomes its default. The type of the schema never changes. Needs the
     * permission `attribute:declare`.
     *
     * @throws ApiError 400 `invalidInput`, `storedValuesRefused`, `attributesFull`; 403 `permissionMissing`
     * @example
     * console.log(await client.attributes.put('user', 'department', {
     *   schema: { type: 'string', maxLength: 64 },
     *   label: { en: 'Department', zh: '部门' },
     *   description: 'Where the person works',
     *   group: 'Work',
     *   self: 'none',
     *   administrators: 'none',
     *   indexed: true,
     *   sensitive: false,
     *   claim: 'department',
     *   scim: null,
     *   force: false,
     * }))
     */
    put: (subject: string, key: string, body: PutAttribute, options?: CallOptions) =>
      ask<Attribute>('PUT', path`/attributes/${subject}/${key}`, { body }, options),

    /**
     * Delete an attribute. Its values have no effect from the answer on, and are deleted later. Needs the permission
     * `attribute:declare`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `attributeUnknown`
     * @example
     * await client.attributes.delete('user', 'department')
     */
    delete: (subject: string, key: string, options?: CallOptions) =>
      ask<null>('DELETE', path`/attributes/${subject}/${key}`, {}, options),

    /**
     * Read the attributes of a user. Those that the caller may read. Needs the permission `user:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `userUnknown`
     * @example
     * console.log(await client.attributes.user(7))
     */
    user: (id: number, options?: CallOptions) =>
      ask<Record<string, unknown>>('GET', path`/users/${id}/attributes`, {}, options),

    /**
     * Change attributes of a user. All or none of them. Null deletes a value. Answers with all that the caller may
     * read. Needs the permission `user:update`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `targetOutranksCaller`, `attributeFilled`; 404
     * `userUnknown`
     * @example
     * console.log(await client.attributes.patchUser(7, { department: 'Sales' }))
     */
    patchUser: (id: number, values: Record<string, unknown>, options?: CallOptions) =>
      ask<Record<string, unknown>>('PATCH', path`/users/${id}/attributes`, { body: values }, options),

    /**
     * Read the attributes of the own user. Those that `self` lets people read. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError as every method
     * @example
     * console.log(await client.attributes.get())
     */
    get: (options?: CallOptions) => ask<Record<string, unknown>>('GET', '/profile/attributes', {}, options),

    /**
     * Change attributes of the own user. Those that `self` lets people write. Null deletes a value. Needs a signed-in
     * user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`; 403 `attributeFilled`
     * @example
     * console.log(await client.attributes.patch({ department: 'Sales' }))
     */
    patch: (values: Record<string, unknown>, options?: CallOptions) =>
      ask<Record<string, unknown>>('PATCH', '/profile/attributes', { body: values }, options),

    /**
     * Read the attributes of a tenant. The own tenant needs `setting:read`; another tenant needs `tenant:read`. Those
     * that the caller may read. Needs a signed-in user or a key.
     *
     * @throws ApiError 400 `invalidInput`
     * @example
     * console.log(await client.attributes.tenant('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'))
     */
    tenant: (id: string, options?: CallOptions) =>
      ask<Record<string, unknown>>('GET', path`/org/tenants/${id}/attributes`, {}, options),

    /**
     * Change attributes of a tenant. The own tenant needs `setting:update`; another tenant needs `tenant:update`. All
     * or none of them. Null deletes a value. Answers with all that the caller may read. Needs a signed-in user or a
     * key.
     *
     * @throws ApiError 400 `invalidInput`
     * @example
     * console.log(await client.attributes.patchTenant('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b', { department: 'Sales' }))
     */
    patchTenant: (id: string, values: Record<string, unknown>, options?: CallOptions) =>
      ask<Record<string, unknown>>('PATCH', path`/org/tenants/${id}/attributes`, { body: values }, options),

  },

  /**
   * Users and groups that a directory pushes by SCIM 2.0.
   */
  directories: {
    /**
     * List the groups of the directory. Their ids are mapped to roles in the connection. In the order of their
     * creation. Needs the permission `sso:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * console.log((await client.directories.directoryGroups()).items)
     */
    directoryGroups: (query: ListDirectoryGroupsQuery = {}, options?: CallOptions) =>
      askPage<DirectoryGroup>('/directory/groups', query, options),

  },

  /**
   * Notifications in the tenant in scope.
   */
  notifications: {
    /**
     * Notify a user. Needs the permission `notification:send`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `userUnknown`
     * @example
     * console.log(await client.notifications.create({ user_id: 7, title: 'Welcome', content: 'Your account is ready.', type: 'info' }))
     */
    create: (body: CreateNotification, options?: CallOptions) =>
      ask<Notification>('POST', '/notifications', { body }, options),

    /**
     * Read a notification. Own notifications need no permission; those of others need notification:read. Needs a
     * signed-in user or a key.
     *
     * @throws ApiError 400 `invalidInput`; 404 `notificationUnknown`
     * @example
     * console.log(await client.notifications.get(7))
     */
    get: (id: number, query: GetNotificationQuery = {}, options?: CallOptions) =>
      ask<ReceivedNotification>('GET', path`/notifications/${id}`, { query }, options),

    /**
     * Delete a notification. Own notifications need no permission; those of others need notification:delete. Needs a
     * signed-in user or a key.
     *
     * @throws ApiError 400 `invalidInput`; 404 `notificationUnknown`
     * @example
     * await client.notifications.delete(7)
     */
    delete: (id: number, options?: CallOptions) =>
      ask<null>('DELETE', path`/notifications/${id}`, {}, options),

    /**
     * List the notifications of a user. Newest first. Own notifications need no permission; those of others need
     * notification:read. Needs a signed-in user or a key.
     *
     * @throws ApiError 400 `invalidInput`; 404 `userUnknown`
     * @example
     * console.log((await client.notifications.list(7)).items)
     */
    list: (userId: number, query: ListNotificationsQuery = {}, options?: CallOptions) =>
      askPage<ReceivedNotification>(path`/notifications/user/${userId}`, query, options),

    /**
     * List the notifications of a user, in a loop over all of them. It fetches a page of 200 when the loop comes to
     * it, unless `page_size` says otherwise. The loop may change and delete items: none comes twice, and none is
     * missed.
     *
     * @throws ApiError from the loop: 400 `invalidInput`; 404 `userUnknown`
     * @example
     * for await (const { created_at, title } of client.notifications.all(7)) console.log(created_at, title)
     */
    all: (userId: number, query: WholeList<ListNotificationsQuery> = {}, options?: CallOptions) =>
      askAll<ReceivedNotification>(path`/notifications/user/${userId}`, 'before_id', query, options),

    /**
     * List what the caller has sent. In the tenant in scope, newest first: notifications of one user, and broadcasts.
     * Needs the permission `notification:send`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * console.log((await client.notifications.sent()).items)
     */
    sent: (query: ListSentQuery = {}, options?: CallOptions) =>
      askPage<Sending>('/notifications/sent', query, options),

    /**
     * Begin to notify everyone, or the holders of a role. Nobody gets it before its first batch. `role_id` needs
     * role:read besides. Needs the permission `notification:send`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `roleUnknown`
     * @example
     * let sending = await client.notifications.broadcast({ title: 'Maintenance at noon', type: 'warning' })
     * while (!sending.is_done) sending = await client.notifications.sendBatch(sending.id)
     */
    broadcast: (body: CreateBroadcast, options?: CallOptions) =>
      ask<Sending>('POST', '/notifications/broadcasts', { body }, options),

    /**
     * Notify the next 1,000 users of a broadcast. Only its sender can. Repeat it until `is_done`: nobody gets it
     * twice. Needs the permission `notification:send`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `notificationUnknown`
     * @example
     * console.log(await client.notifications.sendBatch(7))
     */
    sendBatch: (id: number, options?: CallOptions) =>
      ask<Sending>('POST', path`/notifications/broadcasts/${id}/batches`, {}, options),

    /**
     * Mark a notification read. Only its recipient can. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError 400 `invalidInput`; 403 `notRecipient`; 404 `notificationUnknown`
     * @example
     * await client.notifications.markRead(7)
     */
    markRead: (id: number, options?: CallOptions) =>
      ask<null>('PUT', path`/notifications/${id}/read`, {}, options),

    /**
     * Mark all own notifications read. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError as every method
     * @example
     * await client.notifications.markAllRead()
     */
    markAllRead: (options?: CallOptions) => ask<null>('PUT', '/notifications/read-all', {}, options),

    /**
     * Count the own unread notifications. Needs a signed-in user; a key gets 403.
     *
     * @throws ApiError as every method
     * @example
     * console.log(await client.notifications.unreadCount())
     */
    unreadCount: (options?: CallOptions) =>
      ask<UnreadCount>('GET', '/notifications/unread-count', {}, options),

  },

  /**
   * Providers of the installation, by which people of every tenant sign in.
   */
  providers: {
    /**
     * List providers. All providers, the oldest first; at most 20. Needs the permission `provider:read`.
     *
     * @throws ApiError 403 `permissionMissing`
     * @example
     * console.log(await client.providers.list())
     */
    list: (options?: CallOptions) => ask<Array<Provider>>('GET', '/providers', {}, options),

    /**
     * Create a provider. A draft, which signs nobody in. Needs every permission there is. Other managers are notified.
     * Needs the permission `provider:manage`.
     *
     * @throws ApiError 400 `invalidInput`, `providersFull`; 403 `permissionMissing`, `targetOutranksCaller`,
     * `grantOutlastsOwn`; 409 `providerSlugTaken`; 503 `secretsOff`
     * @example
     * console.log(await client.providers.create({
     *   kind: 'google',
     *   slug: 'google',
     *   name: 'Google',
     *   client_id: 'tenantry',
     *   client_secret: 'the secret of the client',
     *   scopes: 'openid email profile',
     *   allow_new: true,
     *   issuer: 'https://login.example.com',
     *   tenant: 'common',
     *   team_id: 'A1B2C3D4E5',
     *   key_id: 'F6G7H8I9J0',
     *   trusts_email: false,
     * }))
     */
    create: (body: CreateProvider, options?: CallOptions) =>
      ask<Provider>('POST', '/providers', { body }, options),

    /**
     * Read a provider. The secret stands in no answer. Needs the permission `provider:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `providerUnknown`
     * @example
     * console.log(await client.providers.get('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'))
     */
    get: (id: string, options?: CallOptions) => ask<Provider>('GET', path`/providers/${id}`, {}, options),

    /**
     * Change a provider. `disabled` ends its sessions and keeps its identities. Kind, slug, issuer and tenant never
     * change. Needs every permission there is. Other managers are notified. Needs the permission `provider:manage`.
     *
     * @throws ApiError 400 `invalidInput`, `providerUntested`, `lastProvider`; 403 `permissionMissing`,
     * `targetOutranksCaller`, `grantOutlastsOwn`; 404 `providerUnknown`; 503 `secretsOff`
     * @example
     * console.log(await client.providers.update('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b', {
     *   name: 'Google',
     *   client_id: 'tenantry',
     *   scopes: 'openid email profile',
     *   allow_new: true,
     *   team_id: 'A1B2C3D4E5',
     *   key_id: 'F6G7H8I9J0',
     *   trusts_email: false,
     *   client_secret: 'the secret of the client',
     *   status: 'active',
     * }))
     */
    update: (id: string, body: UpdateProvider = {}, options?: CallOptions) =>
      ask<Provider>('PUT', path`/providers/${id}`, { body }, options),

    /**
     * Delete a provider. Its identities go, and the sessions that it opened end. Needs every permission there is.
     * Other managers are notified. Needs the permission `provider:manage`.
     *
     * @throws ApiError 400 `invalidInput`, `lastProvider`; 403 `permissionMissing`, `targetOutranksCaller`,
     * `grantOutlastsOwn`; 404 `providerUnknown`
     * @example
     * await client.providers.delete('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b')
     */
    delete: (id: string, options?: CallOptions) => ask<null>('DELETE', path`/providers/${id}`, {}, options),

    /**
     * Begin a test of a provider. The address leads to the provider, and then to a page that tells the result. Needs
     * every permission there is. Other managers are notified. Needs the permission `provider:manage`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `targetOutranksCaller`, `grantOutlastsOwn`; 404
     * `providerUnknown`
     * @example
     * console.log(await client.providers.test('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'))
     */
    test: (id: string, options?: CallOptions) =>
      ask<ProviderTest>('POST', path`/providers/${id}/test`, {}, options),

  },

  /**
   * Webhooks send the audit records of the tenant to a URL, in order and at least once. The receiver checks them by
   * `verifyWebhook`.
   */
  webhooks: {
    /**
     * List webhooks. All webhooks of the tenant in scope, ordered by id; at most 20. Needs the permission
     * `webhook:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * console.log(await client.webhooks.list())
     */
    list: (query: ListWebhooksQuery = {}, options?: CallOptions) =>
      ask<Array<Webhook>>('GET', '/webhooks', { query }, options),

    /**
     * Create a webhook. It hears what is sealed from now on, once its URL has answered a test with 2xx. A webhook of
     * all tenants needs `tenant:enter` as well. Needs the permissions `webhook:manage` and `audit:read`.
     *
     * @throws ApiError 400 `invalidInput`, `webhooksFull`; 403 `permissionMissing`, `limitReached`; 503 `secretsOff`
     * @example
     * const { id, secret } = await client.webhooks.create({ url: 'https://example.com/hook', events: ['user.*'] })
     * console.log(secret)
     * await client.webhooks.test(id)
     */
    create: (body: CreateWebhook, options?: CallOptions) =>
      ask<CreatedWebhook>('POST', '/webhooks', { body }, options),

    /**
     * Read a webhook. `disabled_reason` tells why nothing is sent. Needs the permission `webhook:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `webhookUnknown`
     * @example
     * console.log(await client.webhooks.get(7))
     */
    get: (id: number, query: GetWebhookQuery = {}, options?: CallOptions) =>
      ask<Webhook>('GET', path`/webhooks/${id}`, { query }, options),

    /**
     * Change a webhook. The caller becomes its editor. Another URL has to answer a test first. A webhook of all
     * tenants needs `tenant:enter` as well. Needs the permissions `webhook:manage` and `audit:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `webhookUnknown`
     * @example
     * console.log(await client.webhooks.update(7, {
     *   url: 'https://example.com/hooks/tenantry',
     *   events: ['user.*', 'role.assign'],
     *   description: 'Billing',
     *   status: 1,
     * }))
     */
    update: (id: number, body: UpdateWebhook = {}, options?: CallOptions) =>
      ask<Webhook>('PUT', path`/webhooks/${id}`, { body }, options),

    /**
     * Delete a webhook with its deliveries. A webhook of all tenants needs `tenant:enter` as well. Needs the
     * permissions `webhook:manage` and `audit:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `webhookUnknown`
     * @example
     * await client.webhooks.delete(7)
     */
    delete: (id: number, options?: CallOptions) => ask<null>('DELETE', path`/webhooks/${id}`, {}, options),

    /**
     * Make another secret of a webhook. For keep_old_hours, deliveries carry the signatures of both secrets. A webhook
     * of all tenants needs `tenant:enter` as well. Needs the permissions `webhook:manage` and `audit:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `webhookUnknown`; 503 `secretsOff`
     * @example
     * console.log(await client.webhooks.rotateSecret(7, { keep_old_hours: 24 }))
     */
    rotateSecret: (id: number, body: RotateWebhookSecret = {}, options?: CallOptions) =>
      ask<WebhookSecret>('POST', path`/webhooks/${id}/secret`, { body }, options),

    /**
     * Send one `webhook.test` now. Answers within 10 seconds. A URL that takes it gets events from then on. A webhook
     * of all tenants needs `tenant:enter` as well. Needs the permissions `webhook:manage` and `audit:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `webhookUnknown`; 503 `secretsOff`
     * @example
     * console.log(await client.webhooks.test(7))
     */
    test: (id: number, options?: CallOptions) =>
      ask<WebhookTest>('POST', path`/webhooks/${id}/test`, {}, options),

    /**
     * List the deliveries of a webhook. Newest first; of 30 days, and the last 10,000. Needs the permission
     * `webhook:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `webhookUnknown`
     * @example
     * console.log((await client.webhooks.deliveries(7)).items)
     */
    deliveries: (id: number, query: ListDeliveriesQuery = {}, options?: CallOptions) =>
      askPage<Delivery>(path`/webhooks/${id}/deliveries`, query, options),

    /**
     * Read a delivery with its attempts. The body that was sent is an audit record: only callers with `audit:read` see
     * it, and of another tenant with `tenant:enter`. Needs the permission `webhook:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `webhookUnknown`, `deliveryUnknown`
     * @example
     * const { history, request } = await client.webhooks.delivery(3, 812)
     * console.log(history.map(({ response }) => response), request.body)
     */
    delivery: (id: number, deliveryId: number, options?: CallOptions) =>
      ask<DeliveryDetails>('GET', path`/webhooks/${id}/deliveries/${deliveryId}`, {}, options),

    /**
     * Send one event again. Answers within 10 seconds. The event keeps its id. A delivery that waits is settled when
     * its event is taken; otherwise the webhook keeps its place. A webhook of all tenants needs `tenant:enter` as
     * well. Needs the permissions `webhook:manage` and `audit:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `auditLogUnknown`, `webhookUnknown`,
     * `deliveryUnknown`; 409 `webhookStopped`; 503 `secretsOff`
     * @example
     * console.log(await client.webhooks.resend(7, 7))
     */
    resend: (id: number, deliveryId: number, options?: CallOptions) =>
      ask<WebhookTest>('POST', path`/webhooks/${id}/deliveries/${deliveryId}/resend`, {}, options),

    /**
     * Count the events of a replay. Changes nothing. A webhook of all tenants needs `tenant:enter` as well. Needs the
     * permissions `webhook:manage` and `audit:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `auditLogUnknown`, `webhookUnknown`
     * @example
     * console.log(await client.webhooks.previewReplay(3, { from_id: 812 }))
     */
    previewReplay: (id: number, body: ReplayWebhook = {}, options?: CallOptions) =>
      ask<ReplayEffect>('POST', path`/webhooks/${id}/replay/preview`, { body }, options),

    /**
     * Set the next record of a webhook. From an earlier record on, records are delivered again. A later record skips
     * the records before it. A webhook of all tenants needs `tenant:enter` as well. Needs the permissions
     * `webhook:manage` and `audit:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `auditLogUnknown`, `webhookUnknown`
     * @example
     * await client.webhooks.replay(3, { from: '2026-01-01T00:00:00Z' })
     */
    replay: (id: number, body: ReplayWebhook = {}, options?: CallOptions) =>
      ask<null>('POST', path`/webhooks/${id}/replay`, { body }, options),

  },

  /**
   * Feature flags of the installation. OpenFeature evaluates them: docs/feature-flags.md.
   */
  flags: {
    /**
     * List feature flags. Ordered by key. Needs the permission `flag:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * console.log((await client.flags.list()).items)
     */
    list: (query: ListFlagsQuery = {}, options?: CallOptions) => askPage<Flag>('/flags', query, options),

    /**
     * Create a feature flag. Needs the permission `flag:manage`.
     *
     * @throws ApiError 400 `invalidInput`, `flagsFull`; 403 `permissionMissing`; 409 `flagKeyTaken`
     * @example
     * console.log(await client.flags.create({
     *   key: 'checkout.new',
     *   description: 'The new checkout',
     *   type: 'boolean',
     *   variants: { on: true, off: false },
     *   enabled: true,
     *   off_variant: 'on',
     *   default_variant: 'on',
     *   client_side: false,
     *   rules: [{ conditions: [{ attribute: 'plan', op: 'in', values: ['gold'] }], serve: 'on' }],
     * }))
     */
    create: (body: CreateFlag, options?: CallOptions) => ask<Flag>('POST', '/flags', { body }, options),

    /**
     * Read a feature flag. Needs the permission `flag:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `flagUnknown`
     * @example
     * console.log(await client.flags.get('checkout.new'))
     */
    get: (key: string, options?: CallOptions) => ask<Flag>('GET', path`/flags/${key}`, {}, options),

    /**
     * Change a feature flag. Replaces each field that is given. Every replica evaluates by it at once. Needs the
     * permission `flag:manage`.
     *
     * @throws ApiError 400 `invalidInput`, `flagsFull`; 403 `permissionMissing`; 404 `flagUnknown`; 412
     * `versionOutdated`
     * @example
     * const { version } = await client.flags.get('checkout.new')
     * await client.flags.update('checkout.new', { enabled: false }, { ifMatch: `"${version}"` })
     */
    update: (key: string, body: UpdateFlag = {}, options?: CallOptions) =>
      ask<Flag>('PUT', path`/flags/${key}`, { body }, options),

    /**
     * Delete a feature flag, with the variants of tenants. Needs the permission `flag:manage`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `flagUnknown`; 412 `versionOutdated`
     * @example
     * await client.flags.delete('checkout.new')
     */
    delete: (key: string, options?: CallOptions) => ask<null>('DELETE', path`/flags/${key}`, {}, options),

    /**
     * Explain which variant a context gets. Needs the permission `flag:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `flagUnknown`
     * @example
     * console.log(await client.flags.explain('checkout.new', { context: { targetingKey: 'user-7', plan: 'gold' } }))
     */
    explain: (key: string, body: ExplainFlag, options?: CallOptions) =>
      ask<FlagExplanation>('POST', path`/flags/${key}/explain`, { body }, options),

    /**
     * Tenants that have a variant of a flag as their own.
     */
    tenants: {
      /**
       * List the tenants that have a variant of their own. Ordered by id. Needs the permission `flag:read`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `flagUnknown`
       * @example
       * console.log((await client.flags.tenants.list('checkout.new')).items)
       */
      list: (key: string, query: ListFlagTenantsQuery = {}, options?: CallOptions) =>
        askPage<FlagOverride>(path`/flags/${key}/tenants`, query, options),

      /**
       * Give a tenant a variant of its own. It counts before all rules, while the flag is enabled. Needs the
       * permission `flag:manage`.
       *
       * @throws ApiError 400 `invalidInput`, `flagsFull`; 403 `permissionMissing`; 404 `flagUnknown`
       * @example
       * await client.flags.tenants.put('checkout.new', '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b', 'on')
       */
      put: (key: string, tenantId: string, variant: string, options?: CallOptions) =>
        ask<null>('PUT', path`/flags/${key}/tenants/${tenantId}`, { body: { variant } }, options),

      /**
       * Take the variant of its own from a tenant. Needs the permission `flag:manage`.
       *
       * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `flagUnknown`, `flagOverrideUnknown`
       * @example
       * await client.flags.tenants.delete('checkout.new', '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b')
       */
      delete: (key: string, tenantId: string, options?: CallOptions) =>
        ask<null>('DELETE', path`/flags/${key}/tenants/${tenantId}`, {}, options),
    },
  },

  /**
   * Figures about the tenant in scope.
   */
  dashboard: {
    /**
     * Read the statistics of the tenant. Growth is in percent against 30 days ago, to one decimal. Online users were
     * seen in the last 5 minutes, active users since 00:00 UTC. Needs the permission `dashboard:read`.
     *
     * @throws ApiError 403 `permissionMissing`
     * @example
     * console.log(await client.dashboard.stats())
     */
    stats: (options?: CallOptions) => ask<Stats>('GET', '/dashboard/stats', {}, options),

    /**
     * Read sign-ups and active users by day. One item for each day (UTC), the oldest first. Users that were deleted
     * since count only among the active users. Needs the permission `dashboard:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * console.log(await client.dashboard.activity())
     */
    activity: (query: GetActivityQuery = {}, options?: CallOptions) =>
      ask<Activity>('GET', '/dashboard/activity', { query }, options),

  },

  /**
   * Decisions about permissions. Without `user_id`, and with the caller's own, a question is about the caller and
   * needs no permission.
   */
  authz: {
    /**
     * List the permissions a user holds. Callers read their own without a permission; those of others need
     * `authz:check`. Needs a signed-in user or a key.
     *
     * @throws ApiError 400 `invalidInput`; 404 `userUnknown`, `sessionUnknown`
     * @example
     * console.log(await client.authz.permissions())
     */
    permissions: (query: GetHeldPermissionsQuery = {}, options?: CallOptions) =>
      ask<HeldPermissions>('GET', '/authz/permissions', { query }, options),

    /**
     * Check whether a user holds permissions. Questions about oneself need no permission, those about others
     * `authz:check`. A disabled user is allowed nothing, and neither is a user of a disabled tenant. Needs a signed-in
     * user or a key.
     *
     * @throws ApiError 400 `invalidInput`, `unknownPermission`; 404 `userUnknown`, `sessionUnknown`
     * @example
     * const { allowed } = await client.authz.check({ permissions: ['user:read', 'audit:read'] })
     * console.log(allowed ? 'may read users and records' : 'may not')
     */
    check: (body: CheckQuestion, query: CheckPermissionsQuery = {}, options?: CallOptions) =>
      ask<CheckAnswer>('POST', '/authz/check', { body, query }, options),

    /**
     * Explain why a user may or may not do something. Needs the permissions `role:read` and `user:read`.
     *
     * @throws ApiError 400 `invalidInput`, `unknownPermission`; 403 `permissionMissing`; 404 `userUnknown`
     * @example
     * console.log(await client.authz.explain({ user_id: 7, permission: 'user:read' }))
     */
    explain: (body: ExplainQuestion, options?: CallOptions) =>
      ask<Explanation>('POST', '/authz/explain', { body }, options),

    /**
     * Tell whom changes would give or take permissions. Makes the changes in a transaction that is rolled back. A
     * caller has one preview at a time. A change for which the caller lacks the permission is `refused`. Needs the
     * permissions `role:read` and `user:read`. One that takes too long is not retried, because it would hold up
     * changes in its tenant again.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
     * @example
     * const [role] = await client.roles.list()
     * const changes = [{ kind: 'delete_role' as const, role_id: role?.id ?? 0 }]
     * const { losses, refused } = await client.authz.preview({ changes })
     * console.log(refused?.error.message ?? `${losses.length} users lose permissions`)
     */
    preview: (body: PreviewQuestion, options?: CallOptions) =>
      ask<Preview>('POST', '/authz/preview', { body, lasting: 503 }, options),

  },
})

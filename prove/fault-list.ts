/** A fault as somebody could make it: one edit of the server. */
export interface Fault {
  what: string
  /** Below server/src. */
  file: string
  from: string
  to: string
  /** The suite that has to catch it. */
  suite: string
  stores?: 'embedded' | 'services' | undefined
}

export const faults: Fault[] = [
  {
    what: 'a dropped where: the session of a token is not looked up',
    file: 'caller.store.ts',
    from: 'and s.id = ${key.sessionId} and s.user_id',
    to: 'and s.user_id',
    suite: 'isolation',
  },
  {
    what: 'a dropped where: an ended session is refreshed',
    file: 'features/sessions/sessions.service.ts',
    from: 'if (age !== 0 && !isRepeated) return endStolenSession(ctx, claims)',
    to: 'if (age < 0) return endStolenSession(ctx, claims)',
    suite: 'tokens',
  },
  {
    what: 'a dropped policy: notifications are not tenant-bound in the database',
    file: 'db/migrations/0001-create-schema.sql',
    from: "                               'notifications', 'audit_logs'] loop",
    to: "                               'audit_logs'] loop",
    suite: 'isolation',
    stores: 'services',
  },
  {
    what: 'the tenant header is believed',
    file: 'http/authenticate.ts',
    from: 'if (tenantId !== actor.tenantId && !actor.isPlatformAdmin) {',
    to: 'if (tenantId === undefined) {',
    suite: 'isolation',
  },
  {
    what: 'the permission of a route is not checked',
    file: 'http/authenticate.ts',
    from: "if (allow !== 'caller' && !actor.permissions.has(allow)) {",
    to: "if (allow !== 'caller' && actor.permissions.size === 0) {",
    suite: 'escalation',
  },
  {
    what: 'a cache is not invalidated: ended sessions',
    file: 'features/sessions/sessions.service.ts',
    from: `  await store.deleteSessionRowsOfUser(ctx.db, ctx.tenantId, userId, keptId)
  ctx.changes.push({ kind: 'user', tenantId: ctx.tenantId, userId })`,
    to: '  await store.deleteSessionRowsOfUser(ctx.db, ctx.tenantId, userId, keptId)',
    suite: 'isolation',
  },
  {
    what: 'a cache is not invalidated: another replica is not told',
    file: 'cache/channel.ts',
    from: '      deliver(message.change ?? undefined)\n',
    to: '',
    suite: 'replicas',
    stores: 'services',
  },
  {
    what: 'an audit write outside the transaction',
    file: 'features/audit/audit.service.ts',
    from: 'await insertAuditLog(ctx.db, log, parts.now())',
    to: 'await insertAuditLog(parts.store.scoped({ tenantId }), log, parts.now())',
    suite: 'crash',
  },
  {
    what: 'a change without its audit record: notifications sent',
    file: 'features/audit/audit.service.ts',
    from: 'await insertAuditLog(ctx.db, log, parts.now())',
    to: "if (entry.action !== 'notification.create') await insertAuditLog(ctx.db, log, parts.now())",
    suite: 'races',
  },
  {
    what: 'a missing lock on authority',
    file: 'authority.ts',
    from: 'await lockTenantAuthority(ctx.db, ctx.tenantId)',
    to: 'if (ctx.tenantId === undefined) await lockTenantAuthority(ctx.db, ctx.tenantId)',
    suite: 'escalation',
    stores: 'services',
  },
  {
    what: 'the last platform administrator is not looked for',
    file: 'authority.ts',
    from: 'if (before > 0 && (await countPlatformAdmins(ctx)) === 0) {',
    to: 'if (before > 1 && (await countPlatformAdmins(ctx)) === 0) {',
    suite: 'escalation',
  },
  {
    what: 'a role is assigned by someone who lacks what it carries',
    file: 'features/roles/roles.service.ts',
    from: '    await requireHoldingRole(ctx, roleId)\n',
    to: '',
    suite: 'escalation',
  },
  {
    what: 'a role is given permissions that the caller lacks',
    file: 'features/roles/roles.service.ts',
    from: '    await requireHolding(ctx, codesOf(wanted))\n',
    to: '',
    suite: 'escalation',
  },
  {
    what: 'a user is changed by someone below them',
    file: 'features/users/users.service.ts',
    from: '    if (isEmpty(input)) return before\n    await requireRankOverUser(ctx, id)\n',
    to: '    if (isEmpty(input)) return before\n',
    suite: 'escalation',
  },
  {
    what: 'a write does not look at its caller again',
    file: 'context.ts',
    from: 'return work({ ...inner, actor: await currentActor(inner) })',
    to: 'return work(inner)',
    suite: 'stores',
    stores: 'services',
  },
  {
    what: 'a refresh token is taken for an access token',
    file: 'crypto/tokens.ts',
    from: "return payload['token_use'] === use ? readClaims(payload) : undefined",
    to: 'return readClaims(payload)',
    suite: 'tokens',
  },
  {
    what: 'the issuer of a token is not checked',
    file: 'crypto/tokens.ts',
    from: '        issuer,\n        currentDate: now,',
    to: '        currentDate: now,',
    suite: 'tokens',
  },
  {
    what: 'the expiry of a token is not checked',
    file: 'crypto/tokens.ts',
    from: 'currentDate: now,',
    to: 'currentDate: new Date(0),',
    suite: 'tokens',
  },
  {
    what: 'a text that the database cannot keep is not refused',
    file: 'http/body.ts',
    from: "const isSound = (text: string): boolean => text.isWellFormed() && !text.includes('\\0')",
    to: 'const isSound = (text: string): boolean => text.length >= 0',
    suite: 'input',
  },
  {
    what: 'changes of a role do not wait for each other',
    file: 'features/roles/roles.service.ts',
    from: '  await lockAuthority(ctx)\n  const role = await getRole(ctx, id)\n  if (role.is_system)',
    to: '  const role = await getRole(ctx, id)\n  if (role.is_system)',
    suite: 'races',
    stores: 'services',
  },
]

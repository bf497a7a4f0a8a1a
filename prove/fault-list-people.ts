import type { Fault } from './fault.ts'

const suite = 'people'

/** Faults of imports, planted on both stores. */
const importFaults: Fault[] = [
  {
    what: 'an import believes the proof of a mailbox',
    file: 'features/configuration/transfer/transfer.store.ts',
    from: '  proved_email: null,\n',
    to: '',
  },
  {
    what: 'an import believes a folded address',
    file: 'features/configuration/transfer/derived.ts',
    from: '{ ...row, ...derivation(row, tenant) }',
    to: '{ ...derivation(row, tenant), ...row }',
  },
].map((fault) => ({
  ...fault,
  suite,
  promise: 'an imported file proves nothing, and its folded addresses count for nothing',
  isAlone: true,
}))

/** Faults of second factors, e-mails, invitations and people of several tenants. Each names the promise that it breaks. */
export const peopleFaults: Fault[] = [
  {
    what: 'a sign-up spends its link before its tenant is there',
    file: 'features/tenancy/sign-up/sign-up.service.ts',
    from: 'store.deleteSignUp(ctx.db,',
    to: 'store.deleteSignUp(ctx.parts.store.scoped({}),',
    suite,
    stores: 'services',
    promise: 'a sign-up that is confirmed at a dying replica makes a whole tenant, or leaves its link',
    isAlone: true,
  },
  {
    what: 'a reset token that works twice',
    file: 'features/sign-in/auth/email.service.ts',
    from: `    await spendLink(ctx, input.token, { kinds: ['reset'], account })
    store.updatePasswordByOwner(ctx.db, accountId, next, ctx.parts.now())
    // The factors of an owner stay: otherwise a stolen mailbox would open the account.
    if (account.is_proved) endOthers(ctx, accountId)
    else startClean(ctx, accountId)
`,
    to: `    store.updatePasswordByOwner(ctx.db, accountId, next, ctx.parts.now())
    endAccountSessions(ctx, accountId)
`,
    suite,
    promise: 'a link works once, also at once',
  },
  {
    what: 'an unknown address is answered sooner',
    file: 'features/sign-in/auth/email.service.ts',
    from: '  await inTransaction(inTenant(ctx, known?.user.tenant_id ?? builtInTenant.id), async (ctx) => {',
    to: `  if (!known) return null
  await inTransaction(inTenant(ctx, known.user.tenant_id), async (ctx) => {`,
    suite,
    promise: 'no time of an answer tells whether an address has an account',
  },
  {
    what: 'a challenge without a bound on wrong answers',
    file: 'features/accounts/factors/factors.store.ts',
    from: ' and c.wrong_answers < ${answersMax}',
    to: '',
    suite,
    promise: 'a challenge bears five wrong answers, also at once',
  },
  {
    what: 'a factor removed with only a session',
    file: 'features/accounts/factors/factors.service.ts',
    from: 'changingByPassword(ctx, input, async (ctx, { account, factors }) => {',
    to: 'changingOwnFactors(ctx, async (ctx, { account, factors }) => {',
    suite,
    promise: 'a stolen session changes no factor',
  },
  {
    what: 'a code of a second factor works twice',
    file: 'features/accounts/factors/factors.store.ts',
    from: ' and is_confirmed and last_step < ${step}',
    to: ' and is_confirmed',
    suite,
    promise: 'a code of a second factor opens one session',
  },
  {
    what: 'a session without the second factor that the tenant asks for',
    file: 'access/policies.ts',
    from: "if (actor.restriction === 'factor' || (inScope.is_factor_required && !actor.hasMfa)) {",
    to: "if (actor.restriction === 'factor' && actor.isSuspended) {",
    suite,
    promise: 'a tenant that asks for a second factor serves no session without one',
  },
  {
    what: 'the factor of another account is taken for an own one',
    file: 'features/accounts/factors/factors.store.ts',
    from: 'select ${columns} from factors where account_id = ${accountId} and is_confirmed order by',
    to: `select \${columns} from factors
    where is_confirmed and exists (select from factors o where o.account_id = \${accountId} and o.is_confirmed) order by`,
    suite,
    promise: 'nobody removes or uses the factor of another person',
  },
  {
    what: 'an invitation carries a permission that its inviter has lost',
    file: 'features/tenancy/invitations/accept.service.ts',
    from: 'invitation.role_ids)).filter(giving)',
    to: 'invitation.role_ids))',
    suite,
    promise: 'an invitation carries no permission that its inviter has lost',
  },
  {
    what: 'an address changed by the administrator of another tenant',
    file: 'features/accounts/users/users.service.ts',
    from: '        await refuseEmailOfPerson(ctx, before.account_id)\n',
    to: '',
    suite,
    promise: 'a tenant administrator takes no person over by address, factors or invitation',
  },
  {
    what: 'an account without an owner gains a membership',
    file: 'features/sign-in/auth/invited-account.service.ts',
    from: '  if (!account.is_owned) return proveMailbox(ctx, account, { invited, given })\n',
    to: '',
    suite,
    promise: 'an account without an owner gains no membership',
  },
  {
    what: 'a switched session outlives the logout',
    file: 'features/accounts/sessions/sessions.store.ts',
    from: 'set sign_in_id = ${signInId}, amr = ${amr}',
    to: 'set amr = ${amr}',
    suite,
    promise: 'a switched session ends with the logout of the one it came from',
  },
  {
    what: 'a verification that needs no session of its account',
    file: 'features/sign-in/auth/email.service.ts',
    from: '  if (link.accountId !== ctx.actor.accountId) throw linkOfAnother()\n',
    to: '',
    suite,
    promise: 'a victim who opens the link of an attacker gives nothing away',
  },
  ...(['embedded', 'services'] as const).flatMap((stores): Fault[] =>
    importFaults.map((fault) => ({ ...fault, what: `${fault.what}, ${stores}`, stores })),
  ),
]

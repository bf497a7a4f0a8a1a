import type { Fault } from './fault.ts'

const suite = 'sso'

/** Faults of sign-ins by a connection. Each names the promise that it breaks. */
export const ssoFaults: Fault[] = [
  {
    what: 'a domain of any connection of the tenant, or of none, counts',
    file: 'features/linking/resolve.service.ts',
    from: "if (!led) return refused('address_outside')",
    to: "if (!led && email === domainOf(email)) return refused('address_outside')",
    suite,
    promise: 'a connection brings nobody with an address beyond its domains',
  },
  {
    what: 'an account with a password is linked without a proof',
    file: 'features/linking/resolve.service.ts',
    from: 'if (!account.has_password && memberships.length === 1)',
    to: 'if (memberships.length === 1)',
    suite,
    promise: 'an account is linked after a proof of it alone',
  },
  {
    what: 'the signature of an ID token is not verified',
    file: 'features/sso/oidc-sign-in.ts',
    from: 'await verify(tokens.id_token, provider, config)',
    to: 'void verify(tokens.id_token, provider, config).catch(() => undefined)',
    suite,
    promise: 'a token that was not made for this sign-in counts for nothing',
  },
  {
    what: 'a disabled connection keeps its sessions',
    file: 'features/sso/connections.service.ts',
    from: "if (input.status === 'disabled') await endSessionsOfConnection(ctx, id)",
    to: "if (input.name === '') await endSessionsOfConnection(ctx, id)",
    suite,
    promise: 'a disabled connection ends its sessions at every replica',
  },
  {
    what: 'a session of a connection is one of the account',
    file: 'access/policies.ts',
    from: 'if (connectionId !== undefined && isAboutAccount(allow) && !servesConnections) throw sessionOfConnection()',
    to: "if (connectionId === '' && isAboutAccount(allow) && !servesConnections) throw sessionOfConnection()",
    suite,
    promise: 'a session of a connection reaches its tenant, and not the account',
  },
  {
    what: 'a change of sign-in needs no rank',
    file: 'features/sso/rank.service.ts',
    from: 'requireRankOverTenant(ctx, codes)',
    to: 'requireRankOverTenant(ctx, codes.slice(0, 0))',
    suite,
    promise: 'nobody without rank changes who signs in',
  },
]

import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig, settings } from './config.ts'
import { addressesOf, redisAddressOf } from './config-values.ts'

/** The faults of an environment. Throws if there are none. */
const faultsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
  } catch (err) {
    if (err instanceof ConfigError) return err.faults
    throw err
  }
  throw new Error('the environment has no fault')
}

const postgres = 'postgres://app:pgpass@db.internal:5432/tenantry'

describe('an environment without faults', () => {
  test('an empty one gives the documented defaults', () => {
    expect(readConfig({})).toEqual({
      isProduction: false,
      host: '127.0.0.1',
      port: 8080,
      databaseUrl: undefined,
      embedded: false,
      redisUrl: undefined,
      workers: 1,
      dataDir: './data',
      admin: undefined,
      firstUserAdmin: true,
      signUp: 'user',
      signUpsPerHour: 100,
      organizationsPerPerson: 3,
      bcryptCost: 12,
      breachedPasswordsUrl: 'https://api.pwnedpasswords.com/range',
      rateLimit: true,
      requestsPerMinute: 6000,
      keyRequestsPerMinute: 60_000,
      logLevel: 'info',
      corsOrigins: [],
      trustedProxies: [],
      webhookPrivateHosts: [],
      archives: [],
      clientDocuments: 'off',
      clientRegistration: 'off',
      mcp: 'off',
      dnsServers: [],
      ssoPrivateHosts: [],
      metricsPort: undefined,
      metricsToken: undefined,
      otlpEndpoint: undefined,
      tracesSampler: 'parentbased_always_on',
      tracesSamplerArg: '1',
      publicUrl: 'http://localhost:8080',
      smtpUrl: undefined,
      mailFrom: 'Tenantry <tenantry@localhost>',
      linkPages: {},
      requireVerifiedEmail: false,
      invitationsPerDay: 200,
      issuer: 'http://localhost:8080',
      audience: 'http://localhost:8080',
      tokenAlgorithm: 'EdDSA',
      accessTokenSeconds: 7200,
      commit: 'unknown',
      buildDate: 'unknown',
    })
  })

  test('every setting is read from its variable', () => {
    const env = {
      NODE_ENV: 'development',
      HOST: '::',
      PORT: '0',
      DATABASE_URL: postgres,
      TENANTRY_EMBEDDED: 'false',
      REDIS_URL: 'rediss://cache.internal:6380/2',
      TENANTRY_WORKERS: '4',
      TENANTRY_DATA_DIR: '/var/lib/tenantry',
      TENANTRY_SECRET_KEY: `${'A'.repeat(43)}=,${'/'.repeat(42)}8=`,
      TENANTRY_ADMIN_EMAIL: 'root@example.com',
      TENANTRY_ADMIN_PASSWORD: 'correct horse',
      TENANTRY_ADMIN_USERNAME: 'root@1',
      TENANTRY_FIRST_USER_ADMIN: 'true',
      TENANTRY_SIGN_UP: 'closed',
      TENANTRY_REGISTRATION: 'closed',
      TENANTRY_SIGN_UPS_PER_HOUR: '1000',
      TENANTRY_ORGANIZATIONS_PER_PERSON: '5',
      TENANTRY_BCRYPT_COST: '4',
      TENANTRY_BREACHED_PASSWORDS_URL: 'http://passwords.internal/range/',
      TENANTRY_RATE_LIMIT: 'off',
      TENANTRY_REQUESTS_PER_MINUTE: '100',
      TENANTRY_KEY_REQUESTS_PER_MINUTE: '1000000',
      LOG_LEVEL: 'silent',
      TENANTRY_CORS_ORIGINS: 'https://a.example.com, http://localhost:5173',
      TENANTRY_TRUSTED_PROXIES: '10.0.0.0/8,::1',
      TENANTRY_METRICS_PORT: '9464',
      TENANTRY_METRICS_TOKEN: '0123456789abcdef',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.internal:4318',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      TENANTRY_PUBLIC_URL: 'https://admin.example.com',
      SMTP_URL: 'smtps://post:mailpass@mail.internal:465',
      TENANTRY_MAIL_FROM: 'Ada <no-reply@example.com>',
      TENANTRY_LINK_PAGES: 'reset=https://app.example.com/reset?a=b%2Cc, sign_up=http://localhost:3000/join',
      TENANTRY_REQUIRE_VERIFIED_EMAIL: 'true',
      TENANTRY_INVITATIONS_PER_DAY: '1000',
      TENANTRY_ARCHIVES:
        'old=postgres://owner:pa55@archive.internal/audit,older=postgres://owner@archive.internal:5433/audit?sslmode=verify-full',
      TENANTRY_WEBHOOK_PRIVATE_HOSTS: 'hooks.internal, 10.1.0.0/16',
      TENANTRY_CLIENT_DOCUMENTS: 'client.example.com, other.example.com:8443',
      TENANTRY_CLIENT_REGISTRATION: 'open',
      TENANTRY_MCP: 'on',
      TENANTRY_DNS_SERVERS: '9.9.9.9, 127.0.0.1:5353, [2620:fe::fe]:53',
      TENANTRY_SSO_PRIVATE_HOSTS: 'idp.internal',
      TENANTRY_ISSUER: 'https://id.example.com',
      TENANTRY_AUDIENCE: 'https://product.example.com',
      TENANTRY_TOKEN_ALGORITHM: 'RS256',
      TENANTRY_ACCESS_TOKEN_SECONDS: '600',
      TENANTRY_COMMIT: '0a1b2c3',
      TENANTRY_BUILD_DATE: '2026-01-31',
    }
    expect(Object.keys(env)).toEqual(settings.map(({ name }) => name))
    expect(readConfig(env)).toEqual({
      isProduction: false,
      host: '::',
      port: 0,
      databaseUrl: postgres,
      embedded: false,
      redisUrl: 'rediss://cache.internal:6380/2',
      workers: 4,
      dataDir: '/var/lib/tenantry',
      secretKeys: [Buffer.alloc(32), Buffer.alloc(32, 255)],
      admin: { email: 'root@example.com', password: 'correct horse', username: 'root@1' },
      firstUserAdmin: true,
      signUp: 'closed',
      signUpsPerHour: 1000,
      organizationsPerPerson: 5,
      bcryptCost: 4,
      breachedPasswordsUrl: 'http://passwords.internal/range/',
      rateLimit: false,
      requestsPerMinute: 100,
      keyRequestsPerMinute: 1_000_000,
      logLevel: 'silent',
      corsOrigins: ['https://a.example.com', 'http://localhost:5173'],
      trustedProxies: ['10.0.0.0/8', '::1'],
      webhookPrivateHosts: ['hooks.internal', '10.1.0.0/16'],
      archives: [
        { name: 'old', url: 'postgres://owner:pa55@archive.internal/audit' },
        { name: 'older', url: 'postgres://owner@archive.internal:5433/audit?sslmode=verify-full' },
      ],
      clientDocuments: ['client.example.com', 'other.example.com:8443'],
      clientRegistration: 'open',
      mcp: 'on',
      dnsServers: ['9.9.9.9', '127.0.0.1:5353', '[2620:fe::fe]:53'],
      ssoPrivateHosts: ['idp.internal'],
      metricsPort: 9464,
      metricsToken: '0123456789abcdef',
      otlpEndpoint: 'http://collector.internal:4318',
      tracesSampler: 'traceidratio',
      tracesSamplerArg: '0.25',
      publicUrl: 'https://admin.example.com',
      smtpUrl: 'smtps://post:mailpass@mail.internal:465',
      mailFrom: 'Ada <no-reply@example.com>',
      linkPages: { reset: 'https://app.example.com/reset?a=b%2Cc', sign_up: 'http://localhost:3000/join' },
      requireVerifiedEmail: true,
      invitationsPerDay: 1000,
      issuer: 'https://id.example.com',
      audience: 'https://product.example.com',
      tokenAlgorithm: 'RS256',
      accessTokenSeconds: 600,
      commit: '0a1b2c3',
      buildDate: '2026-01-31',
    })
  })

  test('the embedded database can be asked for', () => {
    expect(readConfig({ TENANTRY_EMBEDDED: 'true' })).toMatchObject({
      embedded: true,
      databaseUrl: undefined,
    })
  })

  test('the first user becomes administrator on the embedded database, not on PostgreSQL', () => {
    expect(readConfig({}).firstUserAdmin).toBe(true)
    expect(readConfig({ DATABASE_URL: postgres }).firstUserAdmin).toBe(false)
    expect(readConfig({ TENANTRY_FIRST_USER_ADMIN: 'false' }).firstUserAdmin).toBe(false)
  })

  test.each([
    ['production', '127.0.0.1', true],
    ['production', '::', true],
    ['development', '0.0.0.0', false],
    ['test', '0.0.0.0', false],
    ['', '0.0.0.0', true],
    ['staging', 'tenantry.internal', true],
    ['staging', 'localhost', false],
    ['', '127.0.0.2', false],
    ['', '::1', false],
  ])('NODE_ENV %j and HOST %s: production is %s', (nodeEnv, host, isProduction) => {
    expect(readConfig({ NODE_ENV: nodeEnv, HOST: host })).toMatchObject({ isProduction })
  })

  test('the administrator is called admin by default', () => {
    const env = { TENANTRY_ADMIN_EMAIL: 'root@example.com', TENANTRY_ADMIN_PASSWORD: 'correct horse' }
    expect(readConfig(env).admin?.username).toBe('admin')
  })

  test('an empty variable counts as unset', () => {
    const empty = Object.fromEntries(settings.map(({ name }) => [name, '']))
    expect(readConfig(empty)).toEqual(readConfig({}))
  })

  test('names of others are none of its business', () => {
    expect(readConfig({ PATH: '/bin', TENANT: 'x', PORTS: '1' })).toEqual(readConfig({}))
  })
})

/** An invalid value of each kind, and the line that names it. */
const refused: [name: string, value: string, line: RegExp][] = [
  ['NODE_ENV', 'production ', /^NODE_ENV must have 1 to 64 letters/],
  ['HOST', 'http://0.0.0.0', /^HOST must be an IP address or a host name$/],
  ['PORT', '65536', /^PORT must be a whole number from 0 to 65535$/],
  ['PORT', '-1', /^PORT must be/],
  ['PORT', '80.5', /^PORT must be/],
  ['PORT', '0x50', /^PORT must be/],
  ['PORT', ' 80', /^PORT must be/],
  ['DATABASE_URL', 'mysql://db/x', /^DATABASE_URL must be an address such as postgres:/],
  ['DATABASE_URL', 'postgres://', /^DATABASE_URL must be/],
  ['DATABASE_URL', 'postgres://db:port/x', /^DATABASE_URL must be/],
  ['DATABASE_URL', 'postgres://one,,two/x', /^DATABASE_URL must be/],
  ['DATABASE_URL', 'postgres://one,two:port/x', /^DATABASE_URL must be/],
  ['DATABASE_URL', 'postgres://one,two/x?target_session_attrs=standby', /^DATABASE_URL must be/],
  [
    'DATABASE_URL',
    `${postgres}?sslmode=bogus`,
    /^DATABASE_URL must have as sslmode one of: disable, require,/,
  ],
  ['DATABASE_URL', `${postgres}?sslmode=prefer`, /^DATABASE_URL must have as sslmode one of/],
  ['DATABASE_URL', `${postgres}?sslmode=require&sslmode=disable`, /^DATABASE_URL must have each of sslmode/],
  ['DATABASE_URL', `${postgres}?ssl=true`, /^DATABASE_URL takes for TLS the parameters sslmode, sslrootcert/],
  ['DATABASE_URL', `${postgres}?sslmode=verify-full&sslcrl=x`, /^DATABASE_URL takes for TLS/],
  ['DATABASE_URL', `${postgres}?sslmode=require&uselibpqcompat=false`, /^DATABASE_URL takes for TLS/],
  ['DATABASE_URL', `${postgres}?sslrootcert=/ca.pem`, /^DATABASE_URL names files of TLS without TLS/],
  ['DATABASE_URL', `${postgres}?sslmode=require&sslrootcert=/ca.pem`, /^DATABASE_URL has sslrootcert beside/],
  [
    'DATABASE_URL',
    `${postgres}?sslmode=verify-ca`,
    /^DATABASE_URL has sslmode=verify-ca without sslrootcert/,
  ],
  [
    'DATABASE_URL',
    `${postgres}?sslmode=require&sslcert=/c.pem`,
    /^DATABASE_URL must name sslcert and sslkey/,
  ],
  [
    'DATABASE_URL',
    `${postgres}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`,
    /^DATABASE_URL names in sslrootcert, sslcert, sslkey a file that cannot be read/,
  ],
  ['REDIS_URL', '127.0.0.1:6379', /^REDIS_URL must be an address such as redis:/],
  ['REDIS_URL', 'redis://', /^REDIS_URL must be an address such as redis:/],
  ['REDIS_URL', 'redis://one:1,two:x/?sentinel=main', /^REDIS_URL must be an address such as redis:/],
  ['REDIS_URL', 'redis://one,two', /^REDIS_URL must name the master of several hosts, which are Sentinels/],
  ['REDIS_URL', 'redis://one,two?sentinel=', /^REDIS_URL must name the master/],
  ['REDIS_URL', 'redis://one?sentinel_password=hunter2', /^REDIS_URL must name the master/],
  ['REDIS_URL', 'redis://one,two/cache?sentinel=main', /^REDIS_URL must name the master/],
  ['REDIS_URL', 'redis://one,two?sentinel=main&sentinel=other', /^REDIS_URL must name the master/],
  ['REDIS_URL', 'redis://one,two?sentinel=main&db=1', /^REDIS_URL must name the master/],
  ['TENANTRY_EMBEDDED', 'yes', /^TENANTRY_EMBEDDED must be one of: true, false$/],
  ['TENANTRY_WORKERS', '0', /^TENANTRY_WORKERS must be a whole number from 1 to 64$/],
  ['TENANTRY_WORKERS', '2', /^TENANTRY_WORKERS above 1 needs DATABASE_URL/],
  ['TENANTRY_DATA_DIR', ' ', /^TENANTRY_DATA_DIR must be a path$/],
  ['TENANTRY_FIRST_USER_ADMIN', 'yes', /^TENANTRY_FIRST_USER_ADMIN must be one of: true, false$/],
  ['TENANTRY_REGISTRATION', 'Open', /^TENANTRY_REGISTRATION must be one of: open, closed$/],
  ['TENANTRY_SIGN_UP', 'open', /^TENANTRY_SIGN_UP must be one of: user, organization, closed$/],
  ['TENANTRY_BREACHED_PASSWORDS_URL', 'ftp://a', /^TENANTRY_BREACHED_PASSWORDS_URL must be/],
  ['TENANTRY_BREACHED_PASSWORDS_URL', 'https://a/?b', /^TENANTRY_BREACHED_PASSWORDS_URL must be/],
  ['TENANTRY_BREACHED_PASSWORDS_URL', 'https://a:b@c', /^TENANTRY_BREACHED_PASSWORDS_URL must be/],
  ['TENANTRY_BCRYPT_COST', '3', /^TENANTRY_BCRYPT_COST must be a whole number from 4 to 15$/],
  ['TENANTRY_BCRYPT_COST', '16', /^TENANTRY_BCRYPT_COST must be/],
  ['TENANTRY_RATE_LIMIT', 'false', /^TENANTRY_RATE_LIMIT must be one of: on, off$/],
  ['LOG_LEVEL', 'verbose', /^LOG_LEVEL must be one of: fatal, error, warn, info, debug, trace, silent$/],
  [
    'TENANTRY_CLIENT_DOCUMENTS',
    'https://client.example.com',
    /^TENANTRY_CLIENT_DOCUMENTS must be off, open, or/,
  ],
  ['TENANTRY_CLIENT_DOCUMENTS', 'Client.example.com', /^TENANTRY_CLIENT_DOCUMENTS must be/],
  ['TENANTRY_CLIENT_DOCUMENTS', '*.example.com', /^TENANTRY_CLIENT_DOCUMENTS must be/],
  ['TENANTRY_CLIENT_DOCUMENTS', 'client.example.com:443', /^TENANTRY_CLIENT_DOCUMENTS must be/],
  ['TENANTRY_CLIENT_DOCUMENTS', 'open,client.example.com,', /^TENANTRY_CLIENT_DOCUMENTS must be/],
  ['TENANTRY_CLIENT_REGISTRATION', 'true', /^TENANTRY_CLIENT_REGISTRATION must be one of: off, open$/],
  ['TENANTRY_CORS_ORIGINS', '*', /^TENANTRY_CORS_ORIGINS must be origins/],
  ['TENANTRY_CORS_ORIGINS', 'https://a.example.com/', /^TENANTRY_CORS_ORIGINS must be/],
  ['TENANTRY_CORS_ORIGINS', 'https://a.example.com,', /^TENANTRY_CORS_ORIGINS must be/],
  ['TENANTRY_TRUSTED_PROXIES', 'proxy.internal', /^TENANTRY_TRUSTED_PROXIES must be IP addresses/],
  ['TENANTRY_TRUSTED_PROXIES', '0.0.0.0/0', /^TENANTRY_TRUSTED_PROXIES must be/],
  ['TENANTRY_TRUSTED_PROXIES', '10.0.0.0/33', /^TENANTRY_TRUSTED_PROXIES must be/],
  ['TENANTRY_TRUSTED_PROXIES', '10.0.0.0/8/8', /^TENANTRY_TRUSTED_PROXIES must be/],
  ['TENANTRY_METRICS_PORT', 'none', /^TENANTRY_METRICS_PORT must be a whole number from 0 to 65535$/],
  ['TENANTRY_METRICS_PORT', '8080', /^TENANTRY_METRICS_PORT must differ from PORT$/],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'collector:4318',
    /^OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as/,
  ],
  ['OTEL_TRACES_SAMPLER', 'sometimes', /^OTEL_TRACES_SAMPLER must be one of: parentbased_always_on,/],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5', /^OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1$/],
  ['TENANTRY_METRICS_TOKEN', '0123456789abcde', /^TENANTRY_METRICS_TOKEN must have 16 to 512 characters/],
  ['TENANTRY_PUBLIC_URL', 'https://admin.example.com/', /^TENANTRY_PUBLIC_URL must be an origin/],
  ['TENANTRY_PUBLIC_URL', 'admin.example.com', /^TENANTRY_PUBLIC_URL must be an origin/],
  ['SMTP_URL', 'mail.internal', /^SMTP_URL must be an address such as smtps:/],
  ['SMTP_URL', 'smtp://mail.internal?requireTLS=false', /^SMTP_URL must be/],
  ['SMTP_URL', 'smtp://mail.internal', /^TENANTRY_MAIL_FROM is missing: SMTP_URL needs a sender$/],
  ['TENANTRY_MAIL_FROM', 'nobody', /^TENANTRY_MAIL_FROM must be an e-mail address/],
  ['TENANTRY_MAIL_FROM', 'Ada <ada@example.com', /^TENANTRY_MAIL_FROM must be/],
  ...[
    'https://app.example.com/reset',
    'welcome=https://app.example.com/',
    'reset=https://a.example/,reset=https://b.example/',
    'reset=https://a.example/,',
    'reset=http://app.example.com/reset',
    'reset=javascript:alert(1)',
    'reset=//app.example.com/',
    'reset=https://app.example.com/#here',
    'reset=https://ada:secret@app.example.com/',
    'reset=https://app.example.com/two words',
    `reset=https://app.example.com/${'x'.repeat(1000)}`,
    'reset=',
  ].map((value): [string, string, RegExp] => [
    'TENANTRY_LINK_PAGES',
    value,
    /^TENANTRY_LINK_PAGES must be such as reset=https:/,
  ]),
  ['TENANTRY_AUDIENCE', 'two words', /^TENANTRY_AUDIENCE must have 1 to 255 visible/],
  ['TENANTRY_TOKEN_ALGORITHM', 'HS256', /^TENANTRY_TOKEN_ALGORITHM must be one of: EdDSA, ES256, RS256/],
  ['TENANTRY_ACCESS_TOKEN_SECONDS', '59', /^TENANTRY_ACCESS_TOKEN_SECONDS must be a whole number from 60/],
  ['TENANTRY_ACCESS_TOKEN_SECONDS', '7201', /^TENANTRY_ACCESS_TOKEN_SECONDS must be a whole number from 60/],
  ['TENANTRY_ISSUER', 'two words', /^TENANTRY_ISSUER must have 1 to 255 visible ASCII characters/],
]

describe('a value that does not fit', () => {
  test.each(refused)('%s=%s is refused in one line that names the variable', (name, value, line) => {
    expect(faultsOf({ [name]: value })).toEqual([expect.stringMatching(line)])
  })

  test('a range of an IPv6 proxy may be longer than 32 bits', () => {
    expect(readConfig({ TENANTRY_TRUSTED_PROXIES: 'fd00::/64' }).trustedProxies).toEqual(['fd00::/64'])
  })

  test('two ports of 0 are no conflict', () => {
    expect(readConfig({ PORT: '0', TENANTRY_METRICS_PORT: '0' }).metricsPort).toBe(0)
  })
})

describe('the hosts of DATABASE_URL', () => {
  test('each gets an address of its own with login, name and parameters, in the order of the list', () => {
    expect(
      addressesOf('postgres://app:p,w@one:5001,[::1]:5002,three/x?target_session_attrs=primary'),
    ).toEqual([
      'postgres://app:p,w@one:5001/x?target_session_attrs=primary',
      'postgres://app:p,w@[::1]:5002/x?target_session_attrs=primary',
      'postgres://app:p,w@three/x?target_session_attrs=primary',
    ])
  })

  test('an address with one host, or with none for the local default, stays as it is', () => {
    expect(addressesOf(postgres)).toEqual([postgres])
    expect(addressesOf('postgres:///x')).toEqual(['postgres:///x'])
  })
})

describe('the hosts of REDIS_URL', () => {
  test('are Sentinels that know the named master, and share its login, database and TLS', () => {
    const text = 'rediss://app:p%2Cw@one:5001,[::1],three/2?sentinel=main.1&sentinel_password=s%26p'
    expect(readConfig({ REDIS_URL: text }).redisUrl).toBe(text)
    const { hosts = [], ...named } = redisAddressOf(text) ?? {}
    expect(named).toEqual({ master: 'main.1', sentinelPassword: 's&p' })
    expect(hosts.map(({ host }) => host)).toEqual(['one:5001', '[::1]', 'three'])
    expect(hosts.every(({ password, pathname }) => password === 'p%2Cw' && pathname === '/2')).toBe(true)
  })

  test('a single one is the Redis itself, unless the address names a master', () => {
    expect(redisAddressOf('redis://one:5001/2')?.master).toBeUndefined()
    expect(redisAddressOf('redis://one?sentinel=main')?.master).toBe('main')
  })
})

describe('the first administrator', () => {
  const email = { TENANTRY_ADMIN_EMAIL: 'root@example.com' }
  const password = { TENANTRY_ADMIN_PASSWORD: 'correct horse' }

  test('needs a password beside the e-mail', () => {
    expect(faultsOf(email)).toEqual([expect.stringMatching(/^TENANTRY_ADMIN_PASSWORD is missing/)])
  })

  test('needs an e-mail beside the password', () => {
    expect(faultsOf(password)).toEqual([expect.stringMatching(/^TENANTRY_ADMIN_EMAIL is missing/)])
  })

  test('needs both beside the username', () => {
    expect(faultsOf({ TENANTRY_ADMIN_USERNAME: 'root' })).toHaveLength(2)
  })

  test.each(['seven77', 'x'.repeat(129), '🔑'.repeat(7)])('cannot have the password %s', (value) => {
    const line = 'TENANTRY_ADMIN_PASSWORD must have 8 to 128 characters'
    expect(faultsOf({ ...email, TENANTRY_ADMIN_PASSWORD: value })).toEqual([line])
  })

  test('has a password counted in code points', () => {
    const keys = '🔑'.repeat(128)
    expect(readConfig({ ...email, TENANTRY_ADMIN_PASSWORD: keys }).admin?.password).toBe(keys)
  })

  test.each(['root', '@example.com', 'a b@example.com', `${'a'.repeat(250)}@b.io`])(
    'cannot have the e-mail %s',
    (value) => {
      expect(faultsOf({ ...password, TENANTRY_ADMIN_EMAIL: value })).toEqual([
        expect.stringMatching(/^TENANTRY_ADMIN_EMAIL must be an e-mail address/),
      ])
    },
  )

  test.each(['ad', 'a'.repeat(65), 'ad min', 'ädmin'])('cannot have the username %s', (value) => {
    expect(faultsOf({ ...email, ...password, TENANTRY_ADMIN_USERNAME: value })).toEqual([
      expect.stringMatching(/^TENANTRY_ADMIN_USERNAME must have 3 to 64 characters/),
    ])
  })
})

describe('faults', () => {
  test('a misspelt TENANTRY_ name is a fault, and its line lists the real names', () => {
    const [line, ...others] = faultsOf({ TENANTRY_REGISTRATIONS: 'closed' })
    expect(others).toEqual([])
    expect(line).toMatch(/^TENANTRY_REGISTRATIONS is not a setting.*TENANTRY_REGISTRATION,/)
  })

  test('the embedded database beside PostgreSQL is a fault', () => {
    const line = 'TENANTRY_EMBEDDED=true contradicts DATABASE_URL: leave one of them out'
    expect(faultsOf({ DATABASE_URL: postgres, TENANTRY_EMBEDDED: 'true' })).toEqual([line])
  })

  test('PostgreSQL’s own variable for TLS is a fault, unless the address names its mode', () => {
    const env = { DATABASE_URL: postgres, PGSSLMODE: 'require' }
    expect(faultsOf(env)).toEqual(['PGSSLMODE is not read: put sslmode into DATABASE_URL'])
    const address = `${postgres}?sslmode=verify-full`
    expect(readConfig({ ...env, DATABASE_URL: address }).databaseUrl).toBe(address)
    expect(readConfig({ PGSSLMODE: 'require' }).databaseUrl).toBeUndefined()
  })

  test('a required confirmation of e-mails without a way to send them is one', () => {
    const env = { DATABASE_URL: 'postgres://localhost/x', TENANTRY_REQUIRE_VERIFIED_EMAIL: 'true' }
    expect(faultsOf(env)).toEqual([expect.stringMatching(/^TENANTRY_REQUIRE_VERIFIED_EMAIL needs e-mails/)])
    const mail = { SMTP_URL: 'smtp://localhost', TENANTRY_MAIL_FROM: 'a@example.com' }
    const key = { TENANTRY_SECRET_KEY: Buffer.alloc(32).toString('base64') }
    expect(readConfig({ ...env, ...mail, ...key }).requireVerifiedEmail).toBe(true)
    expect(readConfig({ TENANTRY_REQUIRE_VERIFIED_EMAIL: 'true' }).requireVerifiedEmail).toBe(true)
  })

  test('sign-up of organizations without a way to send e-mails is a fault', () => {
    const env = { DATABASE_URL: 'postgres://localhost/x', TENANTRY_SIGN_UP: 'organization' }
    expect(faultsOf(env)).toEqual([expect.stringMatching(/^TENANTRY_SIGN_UP=organization needs e-mails/)])
    expect(readConfig({ TENANTRY_SIGN_UP: 'organization' }).signUp).toBe('organization')
  })

  test('the older name of a setting is one, where it says something else', () => {
    const both = (signUp: string, registration: string) => ({
      TENANTRY_SIGN_UP: signUp,
      TENANTRY_REGISTRATION: registration,
    })
    const contradiction = ['TENANTRY_REGISTRATION contradicts TENANTRY_SIGN_UP: leave the older name out']
    expect(faultsOf(both('user', 'closed'))).toEqual(contradiction)
    expect(faultsOf(both('organization', 'open'))).toEqual(contradiction)
    expect(readConfig(both('closed', 'closed')).signUp).toBe('closed')
    expect(readConfig({ TENANTRY_REGISTRATION: 'closed' }).signUp).toBe('closed')
    expect(readConfig({ TENANTRY_REGISTRATION: 'open' }).signUp).toBe('user')
  })

  test('come all at once', () => {
    const lines = faultsOf({ PORT: 'x', LOG_LEVEL: 'x', TENANTRY_X: 'x', TENANTRY_ISSUER: ' ' })
    const names = new Set(lines.map((line) => line.split(' ')[0]))
    expect(names).toEqual(new Set(['LOG_LEVEL', 'PORT', 'TENANTRY_ISSUER', 'TENANTRY_X']))
  })

  test('never show a value of any variable', () => {
    const secret = 'hunter2\u00a0geheim'
    for (const { name } of settings) {
      const env = { PORT: 'x', LOG_LEVEL: 'x', [name]: secret }
      expect(faultsOf(env).join('\n')).not.toContain('hunter2')
    }
  })

  test('are the lines of the message', () => {
    expect(() => readConfig({ PORT: 'x', LOG_LEVEL: 'x' })).toThrow(/^PORT must be .*\nLOG_LEVEL must be .*$/)
  })
})

test('every setting is documented with a default and a sentence', () => {
  for (const setting of settings) {
    expect(setting.default).not.toBe('')
    expect(setting.meaning).toMatch(/\.$/)
  }
})

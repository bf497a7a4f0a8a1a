/**
 * Which file may import which: every ban once, then the layers, each with the bans that hold in it.
 *
 * An override replaces a rule as a whole, so a layer names all of its bans; a later layer wins over an earlier one. The
 * pinned version has two traps. It silently skips a regex with lookahead, so exceptions are written as "!" in a group.
 * A matching "!" excuses an import from every other pattern, too.
 */

type Ban = { message: string; regex?: string; group?: string[]; allowTypeImports?: boolean }

const drawers = '(^|/)(index|utils?|helpers?|common|types)(\\.tsx?|/|$)|^\\..*\\.[cm]?jsx?$'
const drivers = ['pg', 'pg-*', 'pg/**', '@electric-sql/**', 'node-pg-migrate', 'kysely']
const fastify = ['fastify', '@fastify/**']
/** The start and the composition root: they hand everything else to whom it concerns. */
const top = ['**/app.ts', '**/memories.ts', '**/start/*.ts']

const ban = (group: string[], message: string): Ban => ({ group, message })
/** Bans everything that `kept` does not name. */
const banAllBut = (kept: string[], message: string): Ban => ({
  group: ['**', ...kept.map((name) => `!${name}`)],
  message,
})
/** The same for what runs: types may come from anywhere. */
const runNothingBut = (kept: string[], message: string): Ban => ({
  ...banAllBut(kept, message),
  allowTypeImports: true,
})

const noDrawers: Ban = {
  regex: `${drawers}|^(#|~|@/)`,
  message:
    'No aliases, no barrels and no drawers: import the file itself by its relative path with its ending, and name it after what it holds.',
}
const noDriver = ban(
  drivers,
  'Only db/ talks to a database driver: take the Db of the context, or add a function to db/.',
)
const noRedis = ban(
  ['ioredis', 'nodemailer'],
  'Redis: cache/cache.ts. Mail: features/accounts/mail/mail.service.ts.',
)
const noStatement = ban(
  ['sql-template-tag'],
  "An SQL statement stands in a feature's store or in db/: add a function there and call it.",
)
const noFeature = ban(
  ['**/features/**'],
  'Only app.ts and the start know the features: take what you need as an argument and let app.ts hand it over.',
)
const nothingAbove = ban(
  top,
  'Nothing imports what is above it: take what you need as an argument and let app.ts hand it over.',
)

const onlySdk: Ban = {
  regex: '/server/|/client/src/|^tenantry$|^node:',
  message: 'The console runs in browsers and knows the service only by its SDK: @tenantry/client.',
}

/** Folders of features, each with arrows to earlier ones only. */
export const wings = ['audit', 'configuration', 'accounts', 'delivery', 'sign-in', 'tenancy', 'federation']

const nothingAboveWing = (wing: string): Ban =>
  ban(
    [
      ...top,
      ...wings
        .slice(wings.indexOf(wing) + 1)
        .flatMap((later) => [`**/features/${later}/**`, `../../${later}/**`, `../../../${later}/**`]),
    ],
    `Nothing imports what is above it, and no wing a later one (${wings.join(', ')}): take what you need as an argument, or move it down.`,
  )

/** `wing`: the path to the wing from a room, or from a folder of a room. Folders of one room enter each other anywhere. */
const bansOfRoom = (name: string, wing: '..' | '../..'): Ban[] => [
  noDrawers,
  ban(
    [
      `${wing}/[a-z]*/**`,
      `${wing}/../[a-z]*/[a-z]*/**`,
      `!${wing}/[a-z]*/**/*.{service,schemas}.ts`,
      `!${wing}/../[a-z]*/[a-z]*/**/*.{service,schemas}.ts`,
    ],
    'Another feature is entered by its service or its schemas: import <feature>.service.ts or <feature>.schemas.ts, and add the function there when it is missing.',
  ),
  ban(
    [
      ...fastify,
      'node:http',
      'node:https',
      'node:http2',
      '**/http/**',
      '!**/http/schemas.ts',
      './*.routes.ts',
      '../*/*.routes.ts',
    ],
    'A service knows no HTTP: return a value or throw an AppError; the route and the hooks of http/ speak HTTP.',
  ),
  ban(
    ['sql-template-tag', ...drivers, 'ioredis', 'nodemailer'],
    'A service holds rules, no statements: put the SQL into ./<feature>.store.ts (a driver belongs to db/, cache/ or mail/).',
  ),
  nothingAboveWing(name),
]

/** `room`: the folders of the room that a route may enter; `src`: the path to server/src. */
const bansOfRoutes = (room: string, src: string): Ban =>
  banAllBut(
    [
      'typebox',
      'fastify',
      '@fastify/type-provider-typebox',
      `${room}/*.service.ts`,
      `${room}/*.schemas.ts`,
      `${src}/http/*.ts`,
      `${src}/values/type.ts`,
      `${src}/access/permissions.ts`,
      `${src}/errors/app-error.ts`,
    ],
    'A route imports services and schemas of its own room, http/, permissions.ts and app-error.ts, and nothing else; it never sees a store: call one function of ./<feature>.service.ts.',
  )

export const layers: { files: string[]; bans: Ban[] }[] = [
  {
    files: ['server/src/db/**'],
    bans: [
      noDrawers,
      noRedis,
      ban(
        ['**/features/**', '**/http/**', '**/cache/**', ...top, ...fastify],
        'db/ knows the database and nothing above it: take what you need as an argument.',
      ),
    ],
  },
  {
    files: ['server/src/{cache,mail,outbound}/**'],
    bans: [
      noDrawers,
      noDriver,
      noStatement,
      ban(
        ['**/features/**', '**/http/**', '**/db/**', ...top, ...fastify],
        'cache/, mail/ and outbound/ know one server each and nothing above it: take what you need as an argument.',
      ),
    ],
  },
  {
    files: ['server/src/crypto/**'],
    bans: [
      noDrawers,
      noDriver,
      noRedis,
      noStatement,
      ban(
        ['**/features/**', '**/http/**', '**/cache/**', '**/access/**', ...top, ...fastify],
        'crypto/ knows keys, tokens and passwords, not who asks: take what you need as an argument.',
      ),
    ],
  },
  {
    files: ['server/src/protocols/**'],
    bans: [
      noDrawers,
      noDriver,
      noRedis,
      noStatement,
      ban(
        ['**/features/**', '**/http/**', '**/cache/**', '**/access/**', ...top, ...fastify],
        'protocols/ speaks the protocols of other servers, and knows neither people nor tenants: take what you need as an argument.',
      ),
    ],
  },
  {
    files: ['server/src/access/**'],
    bans: [
      noDrawers,
      noDriver,
      noRedis,
      noStatement,
      noFeature,
      nothingAbove,
      ban(
        ['**/http/**', '**/cache/**', ...fastify],
        'access/ decides who may do what, and knows no HTTP: take what you need as an argument.',
      ),
    ],
  },
  {
    files: ['server/src/http/**'],
    bans: [noDrawers, noDriver, noRedis, noStatement, noFeature, nothingAbove],
  },
  ...wings.flatMap((wing) => [
    { files: [`server/src/features/${wing}/**`], bans: bansOfRoom(wing, '..') },
    { files: [`server/src/features/${wing}/*/*/*`], bans: bansOfRoom(wing, '../..') },
  ]),
  { files: ['server/src/features/*/*/*.routes.ts'], bans: [bansOfRoutes('.', '../../..')] },
  { files: ['server/src/features/*/*/*/*.routes.ts'], bans: [bansOfRoutes('{.,../*}', '../../../..')] },
  {
    files: ['server/src/**/*.{store,sql}.ts'],
    bans: [
      ban(
        [
          '**/*.service.ts',
          '**/*.routes.ts',
          '../[a-z]*/*.store.ts',
          '{../..,../../..}/[a-z]*/[a-z]*/*.store.ts',
          '**/http/**',
          '**/cache/**',
          '**/app.ts',
          '**/context.ts',
          ...fastify,
          ...drivers,
          'ioredis',
        ],
        'A store sees what is below it only, types included: take values as arguments, and let the service combine stores.',
      ),
      runNothingBut(
        [
          'sql-template-tag',
          'node:**',
          '{..,../../..,../../../..}/db/*.ts',
          '{..,../../..,../../../..}/values/text.ts',
          './*.sql.ts',
          '{../../..,../../../..}/access/*.sql.ts',
          './permissions.ts',
          './built-in-templates.ts',
        ],
        'A store runs nothing but db/, text.ts, sql-template-tag and parts of statements (*.sql.ts; types of schemas aside): it turns arguments into one statement; rules and errors belong to the service.',
      ),
    ],
  },
  {
    files: ['server/src/features/**/*.schemas.ts', 'server/src/http/schemas.ts'],
    bans: [
      ban(
        ['**/*.service.ts', '**/*.routes.ts', '**/*.store.ts', '**/app.ts', '**/context.ts', ...fastify],
        'A schema is a leaf, types included: other files import it, never the other way.',
      ),
      runNothingBut(
        [
          '{../../..,../../../..,..}/values/type.ts',
          './*.schemas.ts',
          '{..,../..,../../..}/[a-z]*/**/*.schemas.ts',
          '{../../..,../../../..}/http/schemas.ts',
        ],
        'A schema is a leaf: it runs nothing but the builders of type.ts and other schemas.',
      ),
    ],
  },
  {
    files: [
      'server/src/{app,memories}.ts',
      'server/src/start/{built-in-settings,doctor,parts,serve,{,approvals-,audit-,catalogue-,import-,mail-,settings-,sso-,ways-}commands,maintenance}.ts',
    ],
    bans: [
      noDrawers,
      noDriver,
      noRedis,
      noStatement,
      ban(
        [
          '**/features/**',
          '!**/features/*/*/**/*.routes.ts',
          '!**/features/*/*/**/*.service.ts',
          '!**/features/*/*/**/*.schemas.ts',
          '!**/features/*/*/**/*.settings.ts',
        ],
        'app.ts and the start enter a feature by its routes, its service, its schemas or its built-in settings.',
      ),
    ],
  },
  {
    files: [
      'server/src/{errors/*,named-file,values/secret-names,access/permissions,crypto/algorithms,config/*}.ts',
    ],
    bans: [
      ban(
        [
          './**',
          '../**',
          '!./{app-error,refusal,front-door,config,config-values,database-url,client-settings,first-user-settings,link-pages,settings,sso-settings,trace-settings}.ts',
          '!../{named-file,errors/refusal,crypto/algorithms,values/formats}.ts',
          ...drivers,
          'ioredis',
          'sql-template-tag',
          'fastify',
        ],
        'A leaf imports nothing of ours but leaves (errors/, config/): everybody imports it.',
      ),
    ],
  },
  {
    files: ['client/src/**'],
    bans: [
      {
        regex: '^[^.]|^\\.\\./\\.\\./\\.\\.|/server/|/guard/',
        message:
          'The SDK is published by itself and runs in browsers: it imports its own files and nothing else, the guard aside. `npm run docs` writes its files about the server.',
      },
      noDrawers,
    ],
  },
  { files: ['client/src/guard/tokens.ts'], bans: [banAllBut(['jose', './*.ts'], 'Of packages, only jose')] },
  {
    files: ['console/src/**'],
    bans: [
      noDrawers,
      onlySdk,
      ban(
        [
          '**/features/**',
          '!**/features/*/*.routes.ts',
          '!**/features/*/*.queries.ts',
          '!**/features/*/*.texts.ts',
          '!**/features/*/*.views.tsx',
        ],
        'A feature is entered by its routes (router.ts), its queries, its texts or its views: import <feature>.queries.ts and the like, and add there what is missing.',
      ),
    ],
  },
  {
    files: ['console/src/features/**'],
    bans: [
      noDrawers,
      onlySdk,
      ban(
        [
          '../[a-z]*/*',
          '!../[a-z]*/*.queries.ts',
          '!../[a-z]*/*.search.ts',
          '!../[a-z]*/*.texts.ts',
          '!../[a-z]*/*.views.tsx',
        ],
        'Another feature is entered by its queries, search, texts or views: import <feature>.queries.ts and the like, and add there what is missing.',
      ),
      ban(
        ['**/*.routes.ts'],
        'Routes load the pages, so a page that imports routes closes a circle: put the search parameters into <feature>.search.ts.',
      ),
    ],
  },
  {
    files: ['server/src/**/*.test.ts', 'server/test/**', 'client/test/**', 'console/test/**'],
    bans: [noDrawers],
  },
  {
    files: ['lab/**', 'prove/**', 'bench/**', 'examples/**'],
    bans: [
      ban(
        ['**/server/**', 'tenantry'],
        'Lab, proofs, bench and examples know the service only by its API: ask it over HTTP.',
      ),
    ],
  },
]

/** The bans of every file that no layer is about. */
export const everywhere: Ban[] = [noDrawers, noDriver, noRedis, noStatement, noFeature]

export const banned = (patterns: Ban[]): { 'no-restricted-imports': ['error', { patterns: Ban[] }] } => ({
  'no-restricted-imports': ['error', { patterns }],
})

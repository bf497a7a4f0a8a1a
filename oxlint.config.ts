import { defineConfig } from 'oxlint'
import { banned, everywhere, layers } from './oxlint.layers.ts'

/** Answers are of every shape; their content is the subject of the tests. */
const anyShape = {
  'typescript/no-explicit-any': 'off',
  'typescript/no-unsafe-argument': 'off',
  'typescript/no-unsafe-assignment': 'off',
  'typescript/no-unsafe-call': 'off',
  'typescript/no-unsafe-member-access': 'off',
  'typescript/no-unsafe-return': 'off',
  'node/no-process-env': 'off',
} as const

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'node', 'promise', 'vitest'],
  env: { node: true, es2024: true },
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  // bench/peers: other people's ways of writing, on packages that are installed when they are measured.
  ignorePatterns: ['node_modules', 'coverage', 'data', 'dist', 'bench/results', 'bench/peers'],
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    ...banned(everywhere),
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/extensions': ['error', 'always', { ignorePackages: true }],
    'import/no-default-export': 'error',
    'import/no-duplicates': 'error',
    'oxc/no-barrel-file': ['error', { threshold: 0 }],
    'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    'max-lines-per-function': ['error', { max: 50 }],
    complexity: ['error', { max: 8 }],
    'max-depth': ['error', { max: 3 }],
    'max-params': ['error', { max: 4 }],
    'no-console': 'error',
    'node/no-process-env': 'error',
    'unicorn/no-process-exit': 'error',
    'no-restricted-properties': [
      'error',
      {
        object: 'request',
        property: 'ip',
        message: 'Take addressOf(request): a proxy writes ports and names.',
      },
    ],
    'no-shadow': ['error', { allow: ['ctx', 'db'] }],
    'no-underscore-dangle': 'off',
    'no-new': 'off',
    eqeqeq: 'error',
    curly: ['error', 'multi-line'],
    'no-var': 'error',
    'prefer-const': 'error',
    'no-param-reassign': 'error',
    'no-else-return': 'error',
    'no-self-compare': 'error',
    'no-throw-literal': 'error',
    'object-shorthand': 'error',
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'unicorn/prefer-node-protocol': 'error',
    'unicorn/no-abusive-eslint-disable': 'error',
    'unicorn/throw-new-error': 'error',
    'unicorn/consistent-function-scoping': 'off',
    'typescript/consistent-return': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-import-type-side-effects': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/return-await': ['error', 'in-try-catch'],
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/no-deprecated': 'error',
    'typescript/use-unknown-in-catch-callback-variable': 'error',
    'typescript/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true, boolean: true } }],
    'typescript/restrict-plus-operands': 'error',
    'typescript/ban-ts-comment': 'error',
    'promise/always-return': 'off',
    'import/no-named-as-default-member': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'typescript/no-misused-spread': ['error', { allow: ['string'] }],
  },
  overrides: [
    ...layers.map(({ files, bans }) => ({ files, rules: banned(bans) })),
    {
      files: ['console/src/**'],
      plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y'],
      env: { browser: true, node: false },
      rules: {
        'react/react-in-jsx-scope': 'off',
        'jsx-a11y/prefer-tag-over-role': 'off',
        'jsx-a11y/no-autofocus': 'off',
        'react/exhaustive-deps': 'error',
        'react/rules-of-hooks': 'error',
        'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
        'no-restricted-globals': [
          'error',
          {
            name: 'fetch',
            message: 'The SDK is the only way to the API: session/client.ts, session/scope.ts.',
          },
        ],
      },
    },
    {
      files: ['server/src/**/*.test.ts', 'server/test/**', 'client/test/**', 'console/test/**'],
      rules: {
        ...anyShape,
        'max-lines': 'off',
        'max-lines-per-function': 'off',
        'max-nested-callbacks': 'off',
        'vitest/no-focused-tests': 'error',
        'vitest/no-disabled-tests': 'error',
        'vitest/no-identical-title': 'error',
        'vitest/expect-expect': ['error', { assertFunctionNames: ['expect*', 'assert*'] }],
        'vitest/valid-title': [
          'error',
          {
            mustNotMatch: ['\\bshould\\b', 'A title states what holds, in the present tense: no "should".'],
          },
        ],
      },
    },
    {
      files: ['lab/**', 'prove/**', 'bench/**', 'deploy/**'],
      rules: { ...anyShape, 'no-await-in-loop': 'off' },
    },
    {
      files: ['server/src/features/**/*.routes.ts', 'client/src/sign-in.ts'],
      rules: { 'max-lines-per-function': 'off' },
    },
    { files: ['examples/**'], rules: { 'node/no-process-env': 'off' } },
    // A script of a page, which nothing compiles: it has no types.
    {
      files: ['examples/*/page/*.js'],
      rules: { ...anyShape, 'typescript/use-unknown-in-catch-callback-variable': 'off' },
    },
    // Scripts that adopters copy: they read JSON of others, print it, and have no types.
    {
      files: ['examples/importing-users/*.js'],
      rules: {
        'no-console': 'off',
        ...anyShape,
      },
    },
    // Lists: the layers, the routes of every room, a few lines for each fault.
    {
      files: ['oxlint.layers.ts', 'server/src/app.ts', 'prove/fault-list.ts'],
      rules: { 'max-lines': 'off' },
    },
    // The package's one entrance: it exports types, which load nothing.
    { files: ['client/src/client.ts'], rules: { 'oxc/no-barrel-file': 'off' } },
    // Generated: it grows with the API.
    {
      files: ['client/src/schema.ts', 'client/src/endpoints.ts'],
      rules: { 'max-lines': 'off', 'max-lines-per-function': 'off' },
    },
    {
      files: ['server/src/start/{main,commands,doctor}.ts'],
      rules: { 'node/no-process-env': 'off', 'unicorn/no-process-exit': 'off', 'no-console': 'off' },
    },
    { files: ['server/test/run-on-services.ts'], rules: { 'no-console': 'off' } },
    { files: ['*.config.ts'], rules: { 'node/no-process-env': 'off', 'import/no-default-export': 'off' } },
  ],
})

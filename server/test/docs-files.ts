/** Generated files: `npm run docs` writes them, a test compares them. */
import { settings } from '../src/config/config.ts'
import { sharedRefusals } from '../src/http/oauth-answers.ts'
import { sharedErrors } from '../src/http/failures.ts'
import { errorTable } from '../src/http/openapi-components.ts'
import { permissions } from '../src/access/permissions.ts'
import type { ApiDocument, Operation } from './api-document.ts'
import { clientEndpoints, clientFiles } from './client-files.ts'
import { consoleFiles } from './console-files.ts'

const written = '<!-- Written by `npm run docs`; a test fails when it is stale. -->'

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows]
    .map(
      (cells) =>
        `|${cells
          .map((text) => (text === '' ? '' : `${text} `))
          .join('|')
          .trimEnd()}|`,
    )
    .join('\n')

/** Only the description names a second permission, or one for objects of others. */
const permissionOf = ({ 'x-permission': permission, description }: Operation): string => {
  if (permission === 'public') return 'public'
  const described = permissions.map(({ code }) => code).filter((code) => description.includes(code))
  const codes = described.map((code) => `\`${code}\``).join(' and ')
  if (permission !== 'caller') return codes
  return codes ? `own: none, others: ${codes}` : 'signed in'
}

const tenantHeaderOf = ({ parameters }: Operation): string => {
  const refs = parameters.map(({ $ref = '' }) => $ref)
  if (refs.some((ref) => ref.endsWith('/RequiredTenantId'))) return 'required'
  return refs.some((ref) => ref.endsWith('/TenantId')) ? '' : 'ignored'
}

const named = (names: string[]): string => names.map((name) => `\`${name}\``).join(', ')

const successOf = ({ responses }: Operation): string => {
  const statuses = Object.keys(responses).filter((status) => Number(status) < 400)
  return statuses.join() === '200' ? '' : statuses.join(' ')
}

const endpointRow = (method: string, path: string, operation: Operation): string[] => [
  `\`${method.toUpperCase()} ${path}\``,
  permissionOf(operation),
  tenantHeaderOf(operation),
  successOf(operation),
  operation.summary,
]

const endpoints = ({ paths }: ApiDocument): string => {
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => method !== 'head')
      .map(([method, operation]) => endpointRow(method, path, operation)),
  )
  const head = ['Endpoint', 'Permission', 'X-Tenant-ID', 'Success', 'Effect']
  return `${written}

# Endpoints

\`/metrics\`, \`/openapi.json\` and \`/docs\` do not belong to the API.
[contract.md](contract.md) describes the behaviour of the endpoints, and [openapi.json](openapi.json) every status.

The header X-Tenant-ID is optional where its column is empty, and success is 200. In [openapi.json](openapi.json)
\`x-errors\` has the errors of an endpoint's own, by the names of [Error codes](#error-codes). Others are shared:

- every endpoint: ${named(sharedErrors.all)}
- one that takes input: ${named(sharedErrors.withInput)}
- one that is not GET: ${named(sharedErrors.notGet)}
- one that needs a token:
  ${named(sharedErrors.signedIn.slice(0, 5))},
  ${named(sharedErrors.signedIn.slice(5))}
- one below \`/oauth2\`, but for the pages of the sign-in: ${named([...sharedRefusals])}
- one with a required header X-Tenant-ID: ${named(sharedErrors.withTenantHeader)}

${table(head, rows)}

## Error codes

${errorTable}
`
}

const cell = (text: string) => text.replaceAll('|', '\\|')

const configuration = `${written}

# Configuration

Tenantry reads the environment and a file \`.env\` in the working directory. An unknown \`TENANTRY_\` name or a bad
value stops the start with one line per fault. An empty variable counts as unset.

${table(
  ['Name', 'Default', 'Meaning'],
  settings.map((row) => [`\`${row.name}\``, cell(row.default), cell(row.meaning)]),
)}
`

/** Every generated file by its path in the repository, with its text. */
export const writtenFiles = (document: ApiDocument): Record<string, string> => ({
  'docs/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'docs/endpoints.md': endpoints(document),
  'docs/configuration.md': configuration,
  ...clientFiles(document),
  'client/src/endpoints.ts': clientEndpoints(document),
  ...consoleFiles(document),
})

/** The URL of a path in the repository. */
export const writtenUrl = (path: string): URL => new URL(`../../${path}`, import.meta.url)

/** The generated documentation is complete, agrees with the schemas and is up to date. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { builtInTenant } from '../src/access/permissions.ts'
import { errorCodes } from '../src/errors/app-error.ts'
import { isName } from '../src/values/text.ts'
import type { ApiDocument, Schema } from './api-document.ts'
import { writtenFiles, writtenUrl } from './docs-files.ts'
import { readText } from './documents.ts'
import { parts, service } from './harness.ts'

type Json = Record<string, unknown>

interface Media {
  schema: Schema
  example: string
}

const document = (await service.app.inject('/openapi.json')).json<
  ApiDocument & {
    openapi: string
    tags: { name: string; description: string }[]
    components: { responses: Record<string, { content: Json }> }
  }
>()

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
)

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addFormat('email', fullFormats.email)
ajv.addFormat('uuid', fullFormats.uuid)
ajv.addFormat('date', fullFormats.date)
ajv.addFormat('date-time', fullFormats['date-time'])
ajv.addFormat('password', true)
ajv.addFormat('name', isName)
ajv.addSchema(document, 'api')

interface Example {
  pointer: string
  value: unknown
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

const examplesOf = (node: Json): unknown[] => {
  const named = Object.values((node['examples'] ?? {}) as Record<string, { value: unknown }>)
  return [...('example' in node ? [node['example']] : []), ...named.map(({ value }) => value)]
}

/** Every example of a body, a header or a parameter, with the path of its schema. */
const collect = (node: Json, pointer: string): Example[] => {
  const own = isObject(node['schema'])
    ? examplesOf(node).map((value) => ({ pointer: `${pointer}/schema`, value }))
    : []
  const below = Object.entries(node).filter(([key]) => key !== 'schema' && key !== 'schemas')
  return [
    ...own,
    ...below.flatMap(([key, child]) => {
      const step = encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
      return isObject(child) ? collect(child, `${pointer}/${step}`) : []
    }),
  ]
}

/** An example can itself have a field `schema`. */
const notPlaces = ['schema', 'schemas', 'example', 'examples']

/** Every place that has a schema without an example beside it. */
const bare = (node: Json, pointer: string): string[] => {
  const own = isObject(node['schema']) && examplesOf(node).length === 0 ? [pointer] : []
  const below = Object.entries(node).filter(([key]) => !notPlaces.includes(key))
  const deeper = below.flatMap(([key, child]) => (isObject(child) ? bare(child, `${pointer}/${key}`) : []))
  return [...own, ...deeper]
}

/** Every schema below this one whose example is a time. */
const timesIn = (schema: Schema): Schema[] => {
  const [example] = (schema as { examples?: unknown[] }).examples ?? []
  const below = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])]
  return [...(/^\d{4}-\d\d-\d\dT/.test(String(example)) ? [schema] : []), ...below.flatMap(timesIn)]
}

/** Fields that people read as the name of a thing. */
const nameFields = new Set(['name', 'nickname', 'title', 'label', 'group', 'organization'])

/** Every field of a name below this schema, with its own schema. */
const namesIn = (schema: Schema, place: string): [place: string, schema: Schema][] => {
  const { $ref = '', properties = {}, items, anyOf = [] } = schema
  const referred = document.components.schemas[$ref.replace(/.*\//, '')]
  const below = Object.entries(properties).flatMap(([field, child]): [string, Schema][] => {
    const own = `${place}.${field}`
    return [
      ...(nameFields.has(field) && !child.properties ? [[own, child] as [string, Schema]] : []),
      ...namesIn(child, own),
    ]
  })
  const inner = [referred, items, ...anyOf].filter((one) => one !== undefined)
  return [...below, ...inner.flatMap((one) => namesIn(one, place))]
}

const isParameter = (step: string) => step.startsWith('{')

/** The ids of one path that would have to be words for a request to fit the other as well; undefined: none fits. */
const idsAsWords = (one: string, other: string): string[] | undefined => {
  const others = other.split('/')
  const steps = one.split('/').map((step, place) => [step, others[place] ?? ''] as const)
  const couldFit =
    steps.length === others.length &&
    steps.every(([own, across]) => own === across || isParameter(own) || isParameter(across))
  const ids = steps.filter(([own, across]) => isParameter(own) && !isParameter(across))
  return couldFit ? ids.map(([own]) => own.slice(1, -1)) : undefined
}

/** Groups as providers name them: sign-ins compare them with claims. */
const namesOfProviders = ['createConnection', 'updateConnection'].map((id) => `${id}.group_mappings.group`)

describe('the OpenAPI document', () => {
  test('is OpenAPI 3.1, answered without a token', async () => {
    const response = await fetch(`${service.url}/openapi.json`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(document)
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(operations.length).toBeGreaterThan(50)
  })

  test('gives each operation an id of its own, a tag with a description, a summary and a description', () => {
    const ids = operations.map(({ operationId }) => operationId)
    expect(ids.filter((id, index) => !id || ids.indexOf(id) !== index)).toEqual([])
    const known = new Map(document.tags.map(({ name, description }) => [name, description]))
    const lacking = operations.filter(
      ({ summary, description, tags }) =>
        !summary || !description || tags.length === 0 || !tags.every((tag) => known.get(tag)),
    )
    expect(lacking).toEqual([])
  })

  test('names the permission of each operation, and the tenant header where it is read', () => {
    const told = operations.map(({ operationId, path, description, security, parameters, ...operation }) => {
      const permission = operation['x-permission']
      const names = parameters.map(({ $ref }) => $ref?.split('/').at(-1))
      const header = names.find((name) => name === 'TenantId' || name === 'RequiredTenantId')
      const isNamed = !permission.includes(':') || description.includes(permission)
      return { operationId, path, permission, security, header, isNamed }
    })
    const wrong = told.filter(({ path, permission, security, header, isNamed }) => {
      const required = /^\/api\/v1\/(rbac|notifications)/.test(path) ? 'RequiredTenantId' : 'TenantId'
      // Evaluation of flags, and directories, check their callers themselves.
      const isOpen = permission === 'public' && !/^\/(?:ofrep|scim)\//.test(path)
      const isPublic = permission === 'public'
      const ignores = isPublic || ['account', 'suspendedAccount'].includes(permission)
      return !isNamed || header !== (ignores ? undefined : required) || (security.length === 0) !== isOpen
    })
    expect(wrong).toEqual([])
  })

  test('asks for no parameter that may be left out', () => {
    const all = operations.flatMap(({ parameters }) => parameters)
    expect(all.filter(({ in: place, required }) => place === 'query' && required)).toEqual([])
    expect(all.filter(({ in: place, required }) => place === 'path' && !required)).toEqual([])
  })

  test('has an example beside every schema of a body, a parameter and a header', () => {
    expect(bare(document as never, '')).toEqual([])
  })

  test('has examples that its own schemas accept', () => {
    const examples = collect(document as never, '')
    expect(examples.length).toBeGreaterThan(150)
    const refused = examples.filter(({ pointer, value }) => !ajv.validate({ $ref: `api#${pointer}` }, value))
    expect(refused).toEqual([])
  })

  test('describes a streamed answer as text, whose lines of JSON have the schema that the text names', () => {
    const exported = operations.find(({ operationId }) => operationId === 'exportAuditLogs')
    const { content = {} } = (exported?.responses['200'] ?? {}) as { content?: Record<string, Media> }
    expect(Object.values(content).map(({ schema }) => schema.type)).toEqual(['string', 'string'])
    const { schema, example } = content['application/x-ndjson'] ?? { schema: {}, example: '' }
    expect(schema.description).toContain('`AuditLog`')
    const [line = '', end] = example.split('\n')
    expect(end).toBe('')
    expect(ajv.validate({ $ref: 'api#/components/schemas/AuditLog' }, JSON.parse(line))).toBe(true)
  })

  test('gives each time the format date-time, unless it may be empty', () => {
    const times = Object.values(document.components.schemas).flatMap(timesIn)
    expect(times.length).toBeGreaterThan(10)
    const wrong = times.filter(
      ({ format, description }) => (format === 'date-time') === description?.includes('""'),
    )
    expect(wrong).toEqual([])
  })

  test('takes names of one line without characters that nobody sees, wherever a body has one', () => {
    const names = operations.flatMap(({ operationId, requestBody }) =>
      namesIn(requestBody?.content['application/json']?.schema ?? {}, operationId),
    )
    expect(names.length).toBeGreaterThan(30)
    const open = names.filter(([, { format }]) => format !== 'name').map(([place]) => place)
    expect(open).toEqual(namesOfProviders)
  })

  test('lists every error code at the code of an error', () => {
    const { code } = document.components.schemas['Error']?.properties ?? {}
    expect(code?.enum).toEqual(Object.values(errorCodes))
  })

  test('has no two paths that one request fits: the ids in question are numbers, and no words', () => {
    const paths = Object.keys(document.paths)
    const ids = paths.flatMap((one) =>
      paths
        .filter((other) => idsAsWords(other, one)?.length)
        .flatMap((other) => (idsAsWords(one, other) ?? []).map((id) => `${one} ${id}`)),
    )
    // .redocly.lint-ignore.yaml exempts only this pair (decision 0011).
    expect(ids.toSorted()).toEqual([
      '/api/v1/notifications/user/{userId} userId',
      '/api/v1/notifications/{id}/read id',
    ])
    const types = operations.flatMap(({ path, parameters: own }) =>
      own.filter(({ name }) => ids.includes(`${path} ${name}`)).map(({ schema }) => schema?.type),
    )
    expect([...new Set(types)]).toEqual(['integer'])
  })

  test('shows every error code, each in the answer with its status, those of unknown paths and methods aside', () => {
    const text = JSON.stringify(document.components.responses)
    const shown = Object.values(errorCodes).filter((code) => text.includes(`"code":${code}`))
    const nowhere = Object.values(errorCodes).filter((code) => !shown.includes(code))
    expect(nowhere).toEqual([errorCodes.methodNotAllowed, errorCodes.requestTooSlow])
  })
})

describe('the API reference', () => {
  test('shows each operation on the page of its group, and all of them on its first page', async () => {
    const start = await service.app.inject('/docs')
    const groups = [...new Set(operations.map(({ tags }) => tags[0]?.replaceAll(' ', '-') ?? ''))]
    const pages = await Promise.all(groups.map((group) => service.app.inject(`/docs/${group}`)))
    const bodies = new Map(groups.map((group, at) => [group, pages[at]?.body ?? '']))
    const shown = operations.filter(({ method }) => method !== 'head')
    const lacking = shown.filter(({ operationId, tags }) => {
      const group = tags[0]?.replaceAll(' ', '-') ?? ''
      const isLinked = start.body.includes(`href="/docs/${group}#${operationId}"`)
      return !isLinked || !bodies.get(group)?.includes(`<article id="${operationId}">`)
    })
    expect(lacking.map(({ operationId }) => operationId)).toEqual([])
  })

  test('finds operations by their errors and permissions, and writes no query as HTML', async () => {
    const find = async (query: string) =>
      (await service.app.inject({ url: '/docs', query: { q: query } })).body
    expect(await find('40901')).toContain('href="/docs/users#createUser"')
    expect(await find('USER:create')).toContain('href="/docs/users#createUser"')
    expect(await find('invite')).toContain('href="/docs/users#resendInvitation"')
    const strange = await find('"><script>alert(1)</script>')
    expect(strange).toContain('0 endpoints')
    expect(strange).not.toContain('<script>alert')
  })

  test('answers 404 in the envelope for a group that is not there', async () => {
    const { statusCode, body } = await service.app.inject('/docs/nothing')
    expect([statusCode, body]).toEqual([404, expect.stringContaining('"code":40401')])
  })

  test('asks no other host for anything, and runs nothing inline', async () => {
    const page = await fetch(`${service.url}/docs`)
    const html = await page.text()
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(page.status).toBe(200)
    const style = /<style>([^<]*)<\/style>/.exec(html)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(policy).toContain(`default-src 'none'; style-src 'sha256-${hash}'; script-src 'self';`)
    expect(policy).not.toMatch(/unsafe|https?:/)
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|\son[a-z]+=/)
    const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address)
    const pages = new Set(addresses.map((address) => address.replace(/#.*/, '')))
    const urls = [...pages].map((address) => new URL(address, service.url))
    expect(urls.length).toBeGreaterThan(20)
    expect(urls.filter(({ origin }) => origin !== service.url)).toEqual([])
    const answers = await Promise.all(urls.map((url) => fetch(url)))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  })
})

/** Tables without data of a person. docs/privacy.md lists all others. */
const withoutPersons = `
  application_secrets applications approval_policies attribute_removals attributes audit_archives audit_heads audit_leftovers audit_tombstones audit_unsealed catalogue_removals
  connection_secrets connections device_keys domain_owners domains flag_overrides
  flags global_setting_secrets global_settings group_mappings hash_keys limit_notices mail_texts
  permissions providers resources role_permissions role_templates roles secret_keys
  service_accounts setting_definitions signing_keys spent_challenges template_counter template_permissions tenant_days
  tenant_setting_secrets tenant_settings token_issuers webhook_leases webhook_secrets
`
  .trim()
  .split(/\s+/)

/** Names of columns that concern a person. */
const aboutPersons =
  /^(account|user|member|sender|editor|founder_account|sign_in)_id$|_by$|email|nickname|person|claims|^ip$|user_agent|admission/

test('docs/privacy.md names each table with data of a person, and no table that is gone', async () => {
  const rows = await parts.store.scoped({ tenantId: builtInTenant.id }).many<{
    name: string
    columns: string[]
  }>(sql`
    select c.relname as name, array_agg(a.attname::text) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by 1`)
  const known = rows.filter(({ name }) => name !== 'tenantry_migrations')
  const told = new Set([...readText('docs/privacy.md').matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
  const silent = known.filter(({ name }) => !told.has(name))
  expect(silent.map(({ name }) => name).toSorted()).toEqual(withoutPersons.toSorted())
  const concerned = silent.filter(({ columns }) => columns.some((column) => aboutPersons.test(column)))
  expect(concerned.map(({ name }) => name)).toEqual([])
  const [, table = ''] = readText('docs/privacy.md').split(/^## /m)
  const named = [...table.matchAll(/`([a-z]+(?:_[a-z]+)*)`/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !known.some((one) => one.name === name) && name !== 'login_hint')).toEqual([])
})

describe('the generated files', () => {
  test.each(Object.entries(writtenFiles(document)))('%s is fresh: run `npm run docs`', (path, text) => {
    const isFresh = readFileSync(writtenUrl(path), 'utf8') === text
    expect(isFresh).toBe(true)
  })
})

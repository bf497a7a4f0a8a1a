import { request } from '../../../lab/client.ts'
import type { Operation, Parameter, Schema } from './operation.ts'
import { pages, scimBody } from './standards.ts'

interface RawOperation {
  'x-permission': string
  parameters?: (Partial<Parameter> & { $ref?: string })[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface RawDocument {
  paths: Record<string, Record<string, RawOperation>>
  components: { schemas: Record<string, Schema> }
  'x-error-codes': { code: number; status: number }[]
}

export interface Document {
  operations: Operation[]
  /** The HTTP status of every error code. */
  codes: Map<number, number>
}

const json = 'application/json'
export const form = 'application/x-www-form-urlencoded'

const follow = ({ components }: RawDocument, schema: Schema | undefined): Schema | undefined =>
  schema?.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1) ?? '']

/** The schema with those that it names in their places. */
const whole = (document: RawDocument, schema: Schema): Schema => {
  const { properties, items, ...own } = follow(document, schema) ?? {}
  const fields = Object.entries(properties ?? {})
  return {
    ...own,
    ...(items && { items: whole(document, items) }),
    ...(properties && {
      properties: Object.fromEntries(fields.map(([name, one]) => [name, whole(document, one)])),
    }),
  }
}

/** A probe's object or a stream comes without the envelope. */
const isBare = (document: RawDocument, { responses }: RawOperation): boolean => {
  const success = follow(document, responses['200']?.content?.[json]?.schema)
  return success?.properties?.['code'] === undefined
}

const toOperation = (document: RawDocument, path: string, [verb, raw]: [string, RawOperation]): Operation => {
  const method = verb.toUpperCase()
  const { [json]: asJson, [form]: asForm } = raw.requestBody?.content ?? {}
  const body = (asJson ?? asForm)?.schema
  const own = (raw.parameters ?? []).filter((one): one is Parameter => one.$ref === undefined)
  return {
    id: `${method} ${path}`,
    method,
    path,
    isPublic: raw['x-permission'] === 'public',
    parameters: own.filter((one) => one.in !== 'header'),
    body: body && (scimBody(method, path) ?? whole(document, body)),
    isForm: asForm !== undefined,
    statuses: new Set(Object.keys(raw.responses).map(Number)),
    isBare: isBare(document, raw),
    isPage: false,
  }
}

/** Reads the API description of the service. Throws without one: nothing else says what the service should answer. */
export const readDocument = async (url: string): Promise<Document> => {
  const answer = await request(url, 'GET', '/openapi.json')
  if (answer.status !== 200) throw new Error(`/openapi.json answers ${answer.status}`)
  const document = answer.body as RawDocument
  const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map((entry) => toOperation(document, path, entry)),
  )
  if (operations.length < 50) {
    throw new Error(`the API description has only ${operations.length} operations`)
  }
  return {
    operations: [...operations, ...pages],
    codes: new Map(document['x-error-codes'].map(({ code, status }) => [code, status])),
  }
}

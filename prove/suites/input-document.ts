import { request } from '../client.ts'

/** The part of JSON Schema that the document uses for what a caller sends. */
export interface Schema {
  $ref?: string
  type?: string
  format?: string
  pattern?: string
  enum?: unknown[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  required?: string[]
}

export interface Parameter {
  in: string
  name: string
  schema: Schema
}

/** An operation as a fuzzer needs it: what it takes, and what it says it answers. */
export interface Operation {
  /** Such as `PUT /api/v1/users/{id}`. */
  id: string
  method: string
  path: string
  isPublic: boolean
  parameters: Parameter[]
  /** Undefined where it takes no body. */
  body: Schema | undefined
  statuses: Set<number>
  /** It answers with an object of its own instead of the envelope. */
  isBare: boolean
}

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

const follow = ({ components }: RawDocument, schema: Schema | undefined): Schema | undefined =>
  schema?.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1) ?? '']

/** Not in the envelope when it succeeds: a probe's object, or a stream. */
const isBare = (document: RawDocument, { responses }: RawOperation): boolean => {
  const success = follow(document, responses['200']?.content?.[json]?.schema)
  return success?.properties?.['code'] === undefined
}

const toOperation = (document: RawDocument, path: string, [verb, raw]: [string, RawOperation]): Operation => {
  const method = verb.toUpperCase()
  const own = (raw.parameters ?? []).filter((one): one is Parameter => one.$ref === undefined)
  return {
    id: `${method} ${path}`,
    method,
    path,
    isPublic: raw['x-permission'] === 'public',
    parameters: own.filter((one) => one.in !== 'header'),
    body: follow(document, raw.requestBody?.content[json]?.schema),
    statuses: new Set(Object.keys(raw.responses).map(Number)),
    isBare: isBare(document, raw),
  }
}

/** What the service says of itself; without that there is nothing to hold it to. */
export const readDocument = async (url: string): Promise<Document> => {
  const answer = await request(url, 'GET', '/openapi.json')
  if (answer.status !== 200) throw new Error(`/openapi.json answers ${answer.status}`)
  const document = answer.body as RawDocument
  const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map((entry) => toOperation(document, path, entry)),
  )
  if (operations.length < 50) {
    throw new Error(`the document has ${operations.length} operations: that is not all`)
  }
  return {
    operations,
    codes: new Map(document['x-error-codes'].map(({ code, status }) => [code, status])),
  }
}

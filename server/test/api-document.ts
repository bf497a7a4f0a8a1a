/** The API description, as far as the generators of files read it. */
import type { ErrorCode } from '../src/http/error-meanings.ts'

/** As much of JSON Schema as the schemas of the service use. */
export interface Schema {
  $ref?: string
  type?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  pattern?: string
  format?: string
  default?: unknown
}

export interface Parameter {
  $ref?: string
  name: string
  in?: string
  required?: boolean
  description?: string
  schema?: Schema
  example?: unknown
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  'x-permission': string
  'x-support'?: string
  'x-errors': Record<string, number>
  security: unknown[]
  parameters: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema; example?: unknown }> }
  responses: Record<string, unknown>
}

export interface ApiDocument {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
  'x-error-codes': ErrorCode[]
}

/** The part of JSON Schema that the API description uses for requests. */
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
  items?: Schema
}

export interface Parameter {
  in: string
  name: string
  required?: boolean
  schema: Schema
}

/** An operation for the fuzzer: its inputs and its declared answers. */
export interface Operation {
  /** For example `PUT /api/v1/users/{id}`. */
  id: string
  method: string
  path: string
  isPublic: boolean
  parameters: Parameter[]
  /** Undefined for an operation without a body. */
  body: Schema | undefined
  /** The body is a form in place of JSON. */
  isForm: boolean
  statuses: Set<number>
  /** Its success is an object of its own instead of the envelope. */
  isBare: boolean
  /** Browsers go there: it answers with a page or a redirection. */
  isPage: boolean
}

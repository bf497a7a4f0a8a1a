/** The part of a declared schema from which forms are generated. */
export interface FormSchema {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, FormSchema>
  required?: string[]
  items?: FormSchema
  minimum?: number
  maximum?: number
  maxLength?: number
  title?: string
  description?: string
}

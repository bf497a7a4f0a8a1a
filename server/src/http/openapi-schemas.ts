/** A schema as plain JSON. */
export type Schema = Record<string, unknown>

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const compositeExample = (schema: Schema, path: string): unknown => {
  const { properties, items, additionalProperties, anyOf } = schema
  if (isSchema(properties)) {
    return Object.fromEntries(
      Object.entries(properties).map(([name, child]) => [name, exampleOf(child, `${path}.${name}`)]),
    )
  }
  if (isSchema(items)) return [exampleOf(items, `${path}[]`)]
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], path)
  if (isSchema(additionalProperties)) return {}
  throw new Error(`${path} has no example: give its schema \`examples\``)
}

/**
 * Builds an example from the `examples` of a schema's parts. Throws if a part has none: an invented value would explain
 * nothing.
 */
export const exampleOf = (schema: unknown, path: string): unknown => {
  if (!isSchema(schema)) throw new Error(`${path} has no schema`)
  if (Array.isArray(schema['examples'])) return schema['examples'][0] as unknown
  if ('example' in schema) return schema['example']
  if ('const' in schema) return schema['const']
  if (schema['type'] === 'null') return null
  return compositeExample(schema, path)
}

const trimmed = (schema: Schema): Schema => {
  const { 'x-trim': trims, ...rest } = schema
  if (trims === undefined) return schema
  const form = rest['format'] === 'name' && 'One line, without characters that nobody sees.'
  const description = [rest['description'], form, 'White space around it is removed.']
    .filter(Boolean)
    .join(' ')
  return { ...rest, description }
}

/** Schemas by their titles. All other parts of the document refer to them. */
export type Components = Record<string, Schema>

/** Throws if two schemas have the same title, because one would silently replace the other. */
const nameOnce = (components: Components, title: string, schema: Schema): Schema => {
  const known = components[title]
  if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`two different schemas have the title ${title}`)
  }
  components[title] = schema
  return { $ref: `#/components/schemas/${title}` }
}

/**
 * Moves every titled part of the schema to `components`, and puts a reference in its place. Turns the validator's
 * keyword x-trim into a sentence.
 */
export const hoist = (value: unknown, components: Components): unknown => {
  if (Array.isArray(value)) return value.map((item) => hoist(item, components))
  if (!isSchema(value)) return value
  const schema = trimmed(
    Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        key,
        key === 'examples' || key === 'example' ? child : hoist(child, components),
      ]),
    ),
  )
  const { title } = schema
  return typeof title === 'string' ? nameOnce(components, title, schema) : schema
}

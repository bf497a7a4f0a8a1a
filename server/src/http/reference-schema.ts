/** The fields of a schema as a list of HTML. */
import { html, inline, type Markup } from './markup.ts'
import type { Components, Schema } from './openapi-schemas.ts'

const referTo = '#/components/schemas/'

/** Follows a reference. `names` are the schemas above: one that contains itself ends there. */
export interface Place {
  schemas: Components
  names: string[]
  isRequest: boolean
}

const resolved = (schema: Schema, place: Place): { schema: Schema; place: Place } => {
  const { $ref } = schema
  if (typeof $ref !== 'string') return { schema, place }
  const name = $ref.slice(referTo.length)
  if (place.names.includes(name)) return { schema: { type: name }, place }
  return { schema: place.schemas[name] ?? {}, place: { ...place, names: [...place.names, name] } }
}

const alternativesOf = ({ anyOf }: Schema): Schema[] => (Array.isArray(anyOf) ? (anyOf as Schema[]) : [])

const typeOf = (given: Schema, from: Place): string => {
  const { schema, place } = resolved(given, from)
  const { type, items, enum: values, format } = schema
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0) return [...new Set(alternatives.map((one) => typeOf(one, place)))].join(' or ')
  if (items !== undefined) return `array of ${typeOf(items as Schema, place)}`
  const name = [type].flat().join(' or ') || 'any value'
  return typeof format === 'string' ? `${name} (${format})` : name
}

const bounds: [unit: string, least: string, most: string][] = [
  ['', 'minimum', 'maximum'],
  [' characters', 'minLength', 'maxLength'],
  [' items', 'minItems', 'maxItems'],
  [' fields', 'minProperties', 'maxProperties'],
]

const boundOf = (schema: Schema, [unit, least, most]: (typeof bounds)[number]): string => {
  const [from, to] = [schema[least], schema[most]] as (number | undefined)[]
  // Every id is a safe integer.
  if (to === undefined || to === Number.MAX_SAFE_INTEGER) {
    return from === undefined ? '' : `from ${from}${unit}`
  }
  return from === undefined ? `up to ${to}${unit}` : `${from} to ${to}${unit}`
}

const limitsOf = (schema: Schema): string =>
  [
    ...bounds.map((bound) => boundOf(schema, bound)),
    schema['uniqueItems'] === true ? 'no two alike' : '',
    'default' in schema ? `default ${JSON.stringify(schema['default'])}` : '',
  ]
    .filter(Boolean)
    .join(', ')

/** The schemas whose fields are shown below a field. */
const innerOf = (given: Schema, from: Place): { schema: Schema; place: Place }[] => {
  const { schema, place } = resolved(given, from)
  if (schema['properties'] !== undefined) return [{ schema, place }]
  const inner = [...alternativesOf(schema), schema['items'], schema['additionalProperties']]
  return inner
    .filter((one) => typeof one === 'object' && one !== null)
    .flatMap((one) => innerOf(one as Schema, place))
}

export interface Field {
  name: string
  schema: Schema
  isRequired: boolean
  description?: string
}

const fieldItem = ({ name, schema: given, isRequired, description }: Field, from: Place): Markup => {
  const { schema } = resolved(given, from)
  const text =
    description ??
    (given['description'] as string | undefined) ??
    (schema['description'] as string | undefined)
  const limits = limitsOf(schema)
  const inner = innerOf(given, from)
  return html`<li>
    <code>${name}</code> <span class="type">${typeOf(given, from)}</span>
    ${isRequired && from.isRequest && html`<strong>required</strong>`}
    ${limits !== '' && html`<small>· ${limits}</small>`} ${text !== undefined && html`<p>${inline(text)}</p>`}
    ${
      inner.length > 0 &&
      html`<details>
        <summary>Fields of <code>${name}</code></summary>
        ${inner.map(objectList)}
      </details>`
    }
  </li>`
}

export const fieldList = (fields: Field[], place: Place): Markup =>
  html`<ul class="fields">
    ${fields.map((field) => fieldItem(field, place))}
  </ul>`

const objectList = ({ schema, place }: { schema: Schema; place: Place }): Markup => {
  const required = (schema['required'] ?? []) as string[]
  const properties = Object.entries(schema['properties'] as Components)
  return fieldList(
    properties.map(([name, one]) => ({ name, schema: one, isRequired: required.includes(name) })),
    place,
  )
}

/** The fields of a body or an answer, or its type where it has none. A request says which fields it needs. */
export const schemaFields = (schema: Schema, place: Place): Markup => {
  const inner = innerOf(schema, place)
  return inner.length > 0
    ? html`${inner.map(objectList)}`
    : html`<p class="type">${typeOf(schema, place)}</p>`
}

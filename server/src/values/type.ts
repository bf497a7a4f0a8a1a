/**
 * Builds JSON Schema as TypeBox does, with its types (type.test.ts compares). TypeBox's own builders come with 330
 * modules, which take 20 MB of memory and a tenth of the start.
 */
import type { Type as TypeBox } from 'typebox'

type Kind =
  | ('Array' | 'Boolean' | 'Enum' | 'Integer' | 'Literal' | 'Null' | 'Number' | 'Object' | 'Omit')
  | ('Optional' | 'Partial' | 'Pick' | 'Record' | 'String' | 'Union' | 'Unknown' | 'Unsafe')

/** Marks a property that may be missing. Documents and copies of the schema do not show it. */
const optional = Symbol('optional')

interface Schema {
  [name: string]: unknown
  [optional]?: true
}
type Properties = Record<string, Schema>

const optionalOf = (schema: Schema): Schema => Object.defineProperty({ ...schema }, optional, { value: true })

const objectOf = (properties: Properties, options?: Schema): Schema => {
  const required = Object.keys(properties).filter((name) => !properties[name]?.[optional])
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
}

const chosenFrom = (properties: Properties, isChosen: (name: string) => boolean): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => isChosen(name)))

const ofType =
  (type: string) =>
  (options?: Schema): Schema => ({ type, ...options })

interface ObjectSchema {
  properties: Properties
}

const builders: Record<Kind, (...given: never[]) => Schema> = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: ofType('boolean'),
  Enum: (values: unknown[], options?: Schema) => ({ enum: values, ...options }),
  Integer: ofType('integer'),
  Literal: (value: unknown, options?: Schema) => ({ type: typeof value, const: value, ...options }),
  Null: ofType('null'),
  Number: ofType('number'),
  Object: objectOf,
  Omit: ({ properties }: ObjectSchema, names: string[], options?: Schema) =>
    objectOf(
      chosenFrom(properties, (name) => !names.includes(name)),
      options,
    ),
  Optional: optionalOf,
  Partial: ({ properties }: ObjectSchema, options?: Schema) =>
    objectOf(
      Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, optionalOf(schema)])),
      options,
    ),
  Pick: ({ properties }: ObjectSchema, names: string[], options?: Schema) =>
    objectOf(
      chosenFrom(properties, (name) => names.includes(name)),
      options,
    ),
  Record: (_key: Schema, value: Schema, options?: Schema) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  String: ofType('string'),
  Union: (anyOf: Schema[], options?: Schema) => ({ anyOf, ...options }),
  Unknown: (options?: Schema) => ({ ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
}

export const Type = builders as unknown as Pick<typeof TypeBox, Kind>

import { Fieldset, NumberInput, Select, Stack, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import type { FormSchema } from './form-schema.ts'
import { readJson } from './json-text.ts'

interface SchemaInputProps {
  schema: FormSchema
  value: unknown
  onChange: (value: unknown) => void
  label: string
  /** The path of the value, as errors of the API name it. */
  path: string
  /** Messages by path. */
  errors: ReadonlyMap<string, string>
  isReadOnly: boolean
}

/** A text field that allows more characters has several lines. */
const lineMax = 200

/** True for a list of texts, which needs no JSON. */
const isWords = ({ type, items }: FormSchema): boolean => type === 'array' && items?.type === 'string'

type Input = (props: SchemaInputProps) => ReactNode

/** The input of each JSON type. */
const inputs = new Map<unknown, Input>([
  ['boolean', (props) => <OnOff {...props} />],
  ['number', (props) => <Amount {...props} />],
  ['integer', (props) => <Amount {...props} />],
  ['string', (props) => <Words {...props} />],
  ['array', (props) => (isWords(props.schema) ? <Tags {...props} /> : <AnyJson {...props} />)],
  ['object', (props) => <ObjectInput {...props} />],
])

/** An input for a declared schema. Falls back to JSON. */
export const SchemaInput = (props: SchemaInputProps) => {
  const { schema } = props
  if (schema.enum) return <Choice {...props} options={schema.enum} />
  const input = inputs.get(schema.type)
  return input ? input(props) : <AnyJson {...props} />
}

const ObjectInput = (props: SchemaInputProps) => {
  const { schema, value } = props
  return schema.properties && isFields(value) ? (
    <Fields {...props} properties={schema.properties} />
  ) : (
    <AnyJson {...props} />
  )
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value))

/** The input also shows the message about a part of its value. */
const errorAt = ({ path, errors }: SchemaInputProps): string | undefined =>
  errors.get(path) ?? [...errors].find(([field]) => field.startsWith(`${path}/`))?.[1]

const sharedOf = (props: SchemaInputProps) => ({
  label: props.schema.title ?? props.label,
  description: props.schema.description,
  error: errorAt(props),
  ...(props.isReadOnly && ({ readOnly: true, variant: 'filled' } as const)),
})

const Choice = ({ options, ...props }: SchemaInputProps & { options: unknown[] }) => {
  const { t } = useTranslation()
  const textOf = (one: unknown): string => {
    if (typeof one === 'boolean') return t(one ? 'schemaForm.yes' : 'schemaForm.no')
    return typeof one === 'string' ? one : JSON.stringify(one)
  }
  const texts = options.map(textOf)
  const at = options.findIndex((one) => JSON.stringify(one) === JSON.stringify(props.value))
  return (
    <Select
      {...sharedOf(props)}
      clearable={!props.isReadOnly}
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      data={texts}
      value={texts[at] ?? null}
      onChange={(chosen) => props.onChange(chosen === null ? undefined : options[texts.indexOf(chosen)])}
    />
  )
}

const OnOff = (props: SchemaInputProps) => (
  <Switch
    label={props.schema.title ?? props.label}
    description={props.schema.description}
    error={errorAt(props)}
    disabled={props.isReadOnly}
    checked={props.value === true}
    onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
  />
)

const Amount = (props: SchemaInputProps) => {
  const { minimum, maximum, type } = props.schema
  return (
    <NumberInput
      {...sharedOf(props)}
      maw={260}
      allowDecimal={type === 'number'}
      {...(minimum !== undefined && { min: minimum })}
      {...(maximum !== undefined && { max: maximum })}
      clampBehavior="none"
      value={typeof props.value === 'number' ? props.value : ''}
      onChange={(next) => props.onChange(typeof next === 'number' ? next : undefined)}
    />
  )
}

const Words = (props: SchemaInputProps) => {
  const { maxLength = 0 } = props.schema
  const shared = {
    ...sharedOf(props),
    value: typeof props.value === 'string' ? props.value : '',
    spellCheck: false,
  }
  return maxLength > lineMax ? (
    <Textarea
      {...shared}
      autosize
      maxRows={12}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
    />
  ) : (
    <TextInput {...shared} onChange={({ currentTarget }) => props.onChange(currentTarget.value)} />
  )
}

const Tags = (props: SchemaInputProps) => (
  <TagsInput
    {...sharedOf(props)}
    data={props.schema.items?.enum?.map(String) ?? []}
    value={Array.isArray(props.value) ? props.value.map(String) : []}
    onChange={props.onChange}
  />
)

/** Sets a field of an object. Removes the field if it is empty. */
const withField = (value: Record<string, unknown>, name: string, next: unknown) => {
  const { [name]: _, ...others } = value
  return next === undefined || next === '' ? others : { ...others, [name]: next }
}

const Fields = ({ properties, ...props }: SchemaInputProps & { properties: Record<string, FormSchema> }) => {
  const { schema, label, path, errors, isReadOnly, onChange } = props
  const value = (props.value ?? {}) as Record<string, unknown>
  return (
    <Fieldset legend={schema.title ?? label}>
      <Stack gap="sm">
        {Object.entries(properties).map(([name, inner]) => (
          <SchemaInput
            key={name}
            schema={inner}
            label={name}
            path={`${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`}
            value={value[name]}
            errors={errors}
            isReadOnly={isReadOnly}
            onChange={(next) => onChange(withField(value, name, next))}
          />
        ))}
      </Stack>
    </Fieldset>
  )
}

/** Keeps a text that is not yet JSON. Meanwhile the value is undefined, so the form is invalid and cannot be saved. */
const AnyJson = (props: SchemaInputProps) => {
  const { t } = useTranslation()
  const [text, setText] = useState(() =>
    props.value === undefined ? '' : JSON.stringify(props.value, undefined, 2),
  )
  const isFaulty = text !== '' && !('value' in readJson(text))
  const shared = sharedOf(props)
  return (
    <Textarea
      {...shared}
      ref={(input) => input?.setCustomValidity(isFaulty ? t('schemaForm.noJson') : '')}
      error={isFaulty ? t('schemaForm.noJson') : shared.error}
      autosize
      minRows={4}
      maxRows={18}
      spellCheck={false}
      classNames={{ input: 'json' }}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        const read = readJson(currentTarget.value)
        props.onChange('value' in read ? read.value : undefined)
      }}
    />
  )
}

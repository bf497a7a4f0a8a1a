import type { Attribute } from '@tenantry/client'
import { useState, type SyntheticEvent } from 'react'
import {
  changesOf,
  inputSchemaOf,
  labelOf,
  lineOf,
  type AttributeValues,
} from '../../components/attribute-values.ts'
import { useAttributeErrors } from '../../components/schema-errors.ts'
import type { FormSchema } from '../../components/form-schema.ts'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { Field, Form, Labelled } from '../kit.tsx'
import { useAct, useRead } from '../use-form.ts'
import { useAccount } from './account.ts'
import { Choice } from './choice.tsx'
import { Section } from './parts.tsx'

const read = async () => {
  const [attributes, values] = await Promise.all([
    client.attributes.list({ subject: 'user' }),
    client.attributes.get(),
  ])
  return { attributes: attributes.filter(({ self }) => self !== 'none'), values }
}

/** The facts of the organization about the person, as `self` lets them read and write these. */
export const OwnAttributes = () => {
  const { t } = useTranslation()
  const { data } = useRead(read)
  const [saved, setSaved] = useState<AttributeValues>()
  if (!data) return null
  const { attributes } = data
  const values = saved ?? data.values
  const writable = attributes.filter(({ self }) => self === 'write')
  const shown = attributes.filter(({ self, key }) => self === 'read' && lineOf(values[key]) !== '')
  if (writable.length + shown.length === 0) return null
  return (
    <Section title={t('ownProfile.attributes')}>
      {writable.length > 0 && <ValuesForm attributes={writable} values={values} onSaved={setSaved} />}
      <Facts attributes={shown} values={values} />
    </Section>
  )
}

interface ValuesProps {
  attributes: Attribute[]
  values: AttributeValues
}

const useWords = () => {
  const { t } = useTranslation()
  return (value: unknown): string =>
    typeof value === 'boolean' ? t(value ? 'ownProfile.yes' : 'ownProfile.no') : lineOf(value)
}

const Facts = ({ attributes, values }: ValuesProps) => {
  const { language } = useTranslation()
  const wordsOf = useWords()
  if (attributes.length === 0) return null
  return (
    <dl className="facts">
      {attributes.map((attribute) => (
        <div key={attribute.key}>
          <dt>
            <bdi>{labelOf(attribute, language)}</bdi>
          </dt>
          <dd>
            <bdi>{wordsOf(values[attribute.key])}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The text in an input: a choice as JSON, a list by lines. */
const textOf = ({ enum: options }: FormSchema, value: unknown): string => {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.join('\n')
  return options || typeof value !== 'string' ? JSON.stringify(value) : value
}

/** The value of a text. The service refuses a text that is no number. */
const valueOf = ({ enum: options, type }: FormSchema, text: string): unknown => {
  if (text.trim() === '') return undefined
  if (options) return JSON.parse(text)
  if (type === 'array') return text.split('\n').filter((line) => line.trim() !== '')
  if (type === 'string') return text
  return Number.isNaN(Number(text)) ? text : Number(text)
}

interface ValuesFormProps extends ValuesProps {
  onSaved: (values: AttributeValues) => void
}

const useValues = ({ attributes, values, onSaved }: ValuesFormProps) => {
  const { t } = useTranslation()
  const { say } = useAccount()
  const [typed, setTyped] = useState<Record<string, string>>({})
  const schemas = new Map(attributes.map((one) => [one.key, inputSchemaOf(one)]))
  const changes = changesOf(
    values,
    Object.fromEntries(
      Object.entries(typed).map(([key, text]) => [key, valueOf(schemas.get(key) ?? {}, text)]),
    ),
  )
  const { isSending, error, run } = useAct(async () => {
    onSaved(await client.attributes.patch(changes))
    setTyped({})
    say(t('ownProfile.attributesSaved'))
  })
  const errors = useAttributeErrors()(error, changes)
  const faults = Object.fromEntries([...errors].map(([field, text]) => [field.split('/', 1)[0] ?? '', text]))
  return {
    schemaOf: ({ key }: Attribute) => schemas.get(key) ?? {},
    shown: (key: string, schema: FormSchema) => typed[key] ?? textOf(schema, values[key]),
    type: (key: string, text: string): void => setTyped({ ...typed, [key]: text }),
    form: { isSending, error: errors.size === 0 ? error : undefined, faults },
    save: () => Object.keys(changes).length > 0 && !isSending && run(),
  }
}

const ValuesForm = (props: ValuesFormProps) => {
  const { t } = useTranslation()
  const { schemaOf, shown, type, form, save } = useValues(props)
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault()
    save()
  }
  return (
    <Form {...form} onSubmit={onSubmit} submit={t('common.save')}>
      {props.attributes.map((attribute) => (
        <ValueInput
          key={attribute.key}
          attribute={attribute}
          schema={schemaOf(attribute)}
          text={shown(attribute.key, schemaOf(attribute))}
          onChange={(text) => type(attribute.key, text)}
        />
      ))}
    </Form>
  )
}

interface ValueInputProps {
  attribute: Attribute
  schema: FormSchema
  text: string
  onChange: (text: string) => void
}

const ValueInput = ({ attribute, schema, text, onChange }: ValueInputProps) => {
  const { t, language } = useTranslation()
  const wordsOf = useWords()
  const named = { name: attribute.key, label: labelOf(attribute, language), hint: schema.description }
  if (schema.enum) {
    const choices = schema.enum.map((one) => ({ value: JSON.stringify(one), label: wordsOf(one) }))
    return (
      <Choice {...named} choices={[{ value: '', label: '–' }, ...choices]} value={text} onChange={onChange} />
    )
  }
  if (schema.type === 'array') {
    const hint = [schema.description, t('ownProfile.lines')].filter(Boolean).join(' ')
    return (
      <Labelled {...named} hint={hint}>
        {(tied) => (
          <textarea {...tied} rows={3} value={text} onChange={({ target }) => onChange(target.value)} />
        )}
      </Labelled>
    )
  }
  return (
    <Field
      {...named}
      autoComplete="off"
      inputMode={schema.type === 'string' ? 'text' : 'decimal'}
      value={text}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

import { NumberInput, Select, Stack, Switch, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from '../../translation.ts'
import { JsonEditor } from './json-editor.tsx'
import { readJson } from './json-text.ts'

export const kinds = ['text', 'number', 'switch', 'json'] as const
export type Kind = (typeof kinds)[number]

/** The values of the form. `value` is always JSON, whichever input shows it. */
export type SettingValues = { key: string; kind: Kind; value: string }

const kindsByType: Partial<Record<string, Kind>> = { string: 'text', number: 'number', boolean: 'switch' }

export const kindOf = (value: unknown): Kind => kindsByType[typeof value] ?? 'json'

const beginnings: Record<Kind, string> = { text: '""', number: '', switch: 'false', json: '{}' }

/** Converts a text to a number or boolean if possible. Other JSON stays unchanged. */
const converted = (value: string, kind: Kind): string => {
  const read = readJson(value)
  if (!('value' in read)) return beginnings[kind]
  if (kind === 'json' || kindOf(read.value) === kind) return value
  if (kind === 'text') return JSON.stringify(value)
  const inner = typeof read.value === 'string' ? readJson(read.value) : read
  return 'value' in inner && kindOf(inner.value) === kind ? JSON.stringify(inner.value) : beginnings[kind]
}

interface ValueInputProps {
  form: UseFormReturnType<SettingValues>
}

export const ValueInput = ({ form }: ValueInputProps) => {
  const { t } = useTranslation()
  const { kind, value } = form.values
  return (
    <Stack gap="sm">
      <Select
        label={t('settings.kind')}
        w={220}
        allowDeselect={false}
        data={kinds.map((one) => ({ value: one, label: t(`settingKinds.${one}`) }))}
        value={kind}
        onChange={(chosen) => {
          const next = kinds.find((one) => one === chosen) ?? kind
          form.setValues({ kind: next, value: converted(value, next) })
        }}
      />
      <Input form={form} />
    </Stack>
  )
}

const Input = ({ form }: ValueInputProps) => {
  const { t } = useTranslation()
  const { kind, value } = form.values
  // The key of a new setting takes the focus instead.
  const focus = { 'data-autofocus': true }
  const input = form.getInputProps('value')
  const set = (next: unknown): void => form.setFieldValue('value', next === '' ? '' : JSON.stringify(next))
  const read = readJson(value)
  const present = 'value' in read ? read.value : ''
  const shared = { ...focus, label: t('settings.any'), error: input.error as string | undefined }
  if (kind === 'json') {
    return (
      <JsonEditor
        input={{ ...input, ...focus }}
        read={read}
        onFormat={(text) => form.setFieldValue('value', text)}
      />
    )
  }
  if (kind === 'switch') {
    return (
      <Switch
        {...shared}
        checked={present === true}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
    )
  }
  if (kind === 'number') {
    return (
      <NumberInput
        {...shared}
        w={220}
        value={typeof present === 'number' ? present : ''}
        onChange={(number) => set(typeof number === 'number' ? number : '')}
      />
    )
  }
  return (
    <Textarea
      {...shared}
      autosize
      maxRows={12}
      spellCheck={false}
      value={typeof present === 'string' ? present : ''}
      onChange={({ currentTarget }) => form.setFieldValue('value', JSON.stringify(currentTarget.value))}
    />
  )
}

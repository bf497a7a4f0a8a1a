import { Button, Group, NumberInput, Select, Stack, Switch, Text, Textarea } from '@mantine/core'
import type { GetInputPropsReturnType, UseFormReturnType } from '@mantine/form'
import { useFormat } from '../../format.ts'
import { useTranslation } from '../../translation.ts'
import { readJson, valueBytesMax, type ReadJson } from '../../components/json-text.ts'

const kinds = ['text', 'number', 'switch', 'json'] as const
type Kind = (typeof kinds)[number]

/** The values of the form. `value` is always JSON, also in inputs for other kinds. */
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
  // The key of a new setting gets the focus instead.
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

interface JsonEditorProps {
  input: GetInputPropsReturnType
  read: ReadJson
  onFormat: (text: string) => void
}

const JsonEditor = ({ input, read, onFormat }: JsonEditorProps) => {
  const { t } = useTranslation()
  return (
    <div>
      <Textarea
        label={t('settings.value')}
        autosize
        minRows={8}
        maxRows={18}
        spellCheck={false}
        classNames={{ input: 'json' }}
        {...input}
      />
      <Group justify="space-between" mt="xs" mih={30}>
        <Size read={read} />
        <Button
          size="compact-sm"
          variant="default"
          ml="auto"
          disabled={'problem' in read}
          onClick={() => 'value' in read && onFormat(JSON.stringify(read.value, undefined, 2))}
        >
          {t('settings.format')}
        </Button>
      </Group>
    </div>
  )
}

/** The message about a fault of a JSON text, with its position. Null if there is none. */
export const useJsonFault = () => {
  const { t, textsOf } = useTranslation()
  const format = useFormat()
  const texts: Record<string, string> = textsOf('jsonErrors')
  return (read: ReadJson): string | null => {
    if ('problem' in read) {
      const { line, column, code } = read.problem
      return t('jsonErrors.at', { line, column, problem: texts[code] })
    }
    const sizes = { size: format.bytes(read.bytes), limit: format.bytes(valueBytesMax) }
    return read.bytes > valueBytesMax ? t('settings.tooLarge', sizes) : null
  }
}

const Size = ({ read }: { read: ReadJson }) => {
  const { t } = useTranslation()
  const format = useFormat()
  if ('problem' in read || read.bytes > valueBytesMax) return null
  const sizes = { size: format.bytes(read.bytes), limit: format.bytes(valueBytesMax) }
  return (
    <Text size="xs" c="dimmed" className="numbers">
      {t('settings.valid')} · {t('settings.size', sizes)}
    </Text>
  )
}

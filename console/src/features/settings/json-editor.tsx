import { Button, Group, Text, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format.ts'
import { valueBytesMax, type ReadJson } from './json-text.ts'

interface JsonEditorProps {
  text: string
  read: ReadJson
  onChange: (text: string) => void
}

/** An editor for JSON: it shows errors with their place, and the size, while the user types. */
export const JsonEditor = ({ text, read, onChange }: JsonEditorProps) => {
  const { t } = useTranslation()
  const fault = useFault(read)
  return (
    <div>
      <Textarea
        label={t('settings.value')}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        autosize
        minRows={8}
        maxRows={18}
        spellCheck={false}
        classNames={{ input: 'json' }}
        error={fault}
      />
      <Group justify="space-between" mt="xs" mih={30}>
        <Size read={read} />
        <Button
          size="compact-sm"
          variant="default"
          ml="auto"
          disabled={'problem' in read}
          onClick={() => 'value' in read && onChange(JSON.stringify(read.value, undefined, 2))}
        >
          {t('settings.format')}
        </Button>
      </Group>
    </div>
  )
}

const useFault = (read: ReadJson): string | undefined => {
  const { t } = useTranslation()
  const format = useFormat()
  const texts: Record<string, string> = t('jsonErrors', { returnObjects: true })
  if ('problem' in read) {
    const { line, column, code } = read.problem
    return t('jsonErrors.at', { line, column, problem: texts[code] })
  }
  const sizes = { size: format.bytes(read.bytes), limit: format.bytes(valueBytesMax) }
  return read.bytes > valueBytesMax ? t('settings.tooLarge', sizes) : undefined
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

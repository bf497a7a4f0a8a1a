import { Button, Group, Text, Textarea } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useTranslation } from '../../translation.ts'
import { useFormat } from '../../format.ts'
import { valueBytesMax, type ReadJson } from './json-text.ts'

interface JsonEditorProps {
  input: GetInputPropsReturnType
  read: ReadJson
  onFormat: (text: string) => void
}

export const JsonEditor = ({ input, read, onFormat }: JsonEditorProps) => {
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

/** The message about a fault of a JSON text, with its position; or null. */
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

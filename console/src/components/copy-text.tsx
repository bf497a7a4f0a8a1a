import { ActionIcon, Button, Code, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { useCopy } from './use-copy.ts'

export const CopyFailed = () => (
  <Text size="sm" c="var(--text-bad)" role="alert">
    {useTranslation().t('common.copyFailed')}
  </Text>
)

interface CopyingProps {
  text: string
  onCopy?: (() => void) | undefined
  /** The button. `copied` is true for a moment after each copy. */
  children: (copying: { copied: boolean; copy: () => void }) => ReactNode
}

/** A button that copies a text. Asks the person to copy it by hand where the browser refuses. */
export const Copying = ({ text, onCopy, children }: CopyingProps) => {
  const { copied, error, copy } = useClipboard()
  return (
    <>
      {children({
        copied,
        copy: () => {
          copy(text)
          onCopy?.()
        },
      })}
      {error && <CopyFailed />}
    </>
  )
}

/** The main button of a window that shows a text once. */
export const CopyButton = ({ label, ...props }: Omit<CopyingProps, 'children'> & { label: string }) => {
  const { t } = useTranslation()
  return (
    <Copying {...props}>
      {({ copied, copy }) => (
        <Button onClick={copy} data-autofocus>
          {copied ? t('common.copied') : label}
        </Button>
      )}
    </Copying>
  )
}

interface CopyTextProps {
  text: string
  label: string
  onCopy?: (() => void) | undefined
}

export const CopyText = ({ text, label, onCopy }: CopyTextProps) => {
  const { t } = useTranslation()
  const { copied, error, copy } = useClipboard()
  return (
    <>
      <Group gap={4} wrap="nowrap" miw={0}>
        <Code className={error ? 'whole' : 'cut'}>{text}</Code>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={label}
          title={copied ? t('common.copied') : label}
          onClick={() => {
            copy(text)
            onCopy?.()
          }}
        >
          {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        </ActionIcon>
      </Group>
      {error && <CopyFailed />}
    </>
  )
}

interface CopyLineProps {
  label: string
  text: string
  /** The button's label for screen readers, such as "Copy the record's name". */
  copy: string
}

/** A whole text with a button that copies it. Reports whether the copy succeeded. */
export const CopyLine = ({ label, text, copy: name }: CopyLineProps) => {
  const { t } = useTranslation()
  const { copying, copy } = useCopy(text, () => {})
  const isDone = copying === 'done'
  return (
    <Stack gap={2}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Code className="whole" miw={0}>
          {text}
        </Code>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={isDone ? `${t('common.copied')}: ${label}` : name}
          leftSection={isDone ? <IconCheck size={12} /> : <IconCopy size={12} />}
          flex="none"
          onClick={copy}
        >
          {t(isDone ? 'common.copied' : 'common.copy')}
        </Button>
      </Group>
      {copying === 'failed' && <CopyFailed />}
      <VisuallyHidden role="status">{isDone && t('common.copied')}</VisuallyHidden>
    </Stack>
  )
}

import { Alert, Button, Code, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { CopyFailed } from './copy-text.tsx'
import { useCopy } from './use-copy.ts'
import { FormDialog } from './form-dialog.tsx'

export interface SecretTexts {
  secret: string
  once: string
  onceText: string
  /** States where the secret is used. */
  use: string
  copy: string
  uncopiedTitle: string
  uncopiedText: string
  closeUncopied: string
}

interface SecretDialogProps {
  title: string
  secret: string | undefined
  texts: SecretTexts
  /** The title after the secret is created. */
  created: string
  isDirty: boolean
  isPending: boolean
  onClose: () => void
  children: ReactNode
  next?: ReactNode
}

/**
 * A form that creates a secret, and then shows the secret once. Only the form's state holds the secret, so that no URL,
 * history, cache or storage contains it. Closing the window drops it.
 */
export const SecretDialog = (props: SecretDialogProps) => {
  const { title, secret, texts, created, isDirty, isPending, onClose, children, next } = props
  const [isCopied, setCopied] = useState(false)
  const isMade = secret !== undefined
  return (
    <FormDialog
      title={isMade ? created : title}
      isDirty={isMade ? !isCopied : isDirty}
      question={
        isMade && {
          title: texts.uncopiedTitle,
          confirm: texts.closeUncopied,
          children: texts.uncopiedText,
        }
      }
      closeOnClickOutside={false}
      // The window can close while lists are still refreshed.
      isPending={isPending && !isMade}
      onClose={onClose}
    >
      {(close) =>
        isMade ? (
          <Secret {...{ secret, texts, next }} onCopied={() => setCopied(true)} onClose={close} />
        ) : (
          children
        )
      }
    </FormDialog>
  )
}

interface SecretProps extends Pick<SecretDialogProps, 'texts' | 'next' | 'onClose'> {
  secret: string
  onCopied: () => void
}

/** Shows the secret as text, because a browser may store the contents of a field. */
const Secret = ({ secret, texts, next, onCopied, onClose }: SecretProps) => {
  const { t } = useTranslation()
  const { copying, copy } = useCopy(secret, onCopied)
  const button = useRef<HTMLButtonElement>(null)
  // The focused button disappeared with the form.
  useEffect(() => button.current?.focus(), [])
  return (
    <Stack>
      <Alert color="yellow" icon={<IconAlertTriangle />} title={texts.once}>
        {texts.onceText}
      </Alert>
      <Code block className="whole" aria-label={texts.secret}>
        {secret}
      </Code>
      <Text size="sm" c="dimmed">
        {texts.use}
      </Text>
      {next}
      {copying === 'failed' && <CopyFailed />}
      <VisuallyHidden role="status">{copying === 'done' && t('common.copied')}</VisuallyHidden>
      <Group justify="flex-end" className="dialog-actions">
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
        <Button
          ref={button}
          leftSection={copying === 'done' ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={copy}
        >
          {copying === 'done' ? t('common.copied') : texts.copy}
        </Button>
      </Group>
    </Stack>
  )
}

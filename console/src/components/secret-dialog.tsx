import { Alert, Button, Code, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { Dialog } from './dialog.tsx'
import { useLeaveQuestion } from './leave-question.tsx'
import { useCopy } from './use-copy.ts'

/** The words for one kind of secret. */
export interface SecretTexts {
  /** The title of the window that shows the secret. */
  created: string
  secret: string
  once: string
  onceText: string
  /** Says who needs the secret. */
  use: string
  copy: string
  copyFailed: string
  uncopiedTitle: string
  uncopiedText: string
  closeUncopied: string
}

interface SecretDialogProps {
  /** The title of the window with the form. */
  title: string
  /** The secret, once there is one. */
  secret: string | undefined
  texts: SecretTexts
  isDirty: boolean
  isPending: boolean
  onClose: () => void
  /** The form that asks for the secret. */
  children: ReactNode
  /** Stands below the secret. */
  next?: ReactNode
}

/**
 * A form that makes a secret, then the secret, shown this once. The secret is only in the state of the form: not in the
 * address, the history, a cache or a storage. It vanishes with the window.
 */
export const SecretDialog = (props: SecretDialogProps) => {
  const { title, secret, texts, isDirty, isPending, onClose, children, next } = props
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  const isMade = secret !== undefined
  const isHeld = isMade ? !isCopied : isDirty
  const { ask, element } = useLeaveQuestion({
    isHeld,
    isWindow: true,
    title: isMade ? texts.uncopiedTitle : t('common.leaveTitle'),
    confirm: isMade ? texts.closeUncopied : t('common.leave'),
    children: isMade ? texts.uncopiedText : t('common.leaveText'),
  })
  const close = async (): Promise<void> => {
    if (!isHeld || (await ask())) onClose()
  }
  return (
    <>
      <Dialog
        opened
        onClose={() => void close()}
        title={isMade ? texts.created : title}
        closeOnClickOutside={false}
        // Lists that are still refreshed do not keep the window open.
        isPending={isPending && !isMade}
      >
        {isMade ? (
          <Secret
            secret={secret}
            texts={texts}
            next={next}
            onCopied={() => setCopied(true)}
            onClose={() => void close()}
          />
        ) : (
          children
        )}
      </Dialog>
      {element}
    </>
  )
}

interface SecretProps extends Pick<SecretDialogProps, 'texts' | 'next' | 'onClose'> {
  secret: string
  onCopied: () => void
}

/** Shows the secret as text: a browser may store the contents of a field. */
const Secret = ({ secret, texts, next, onCopied, onClose }: SecretProps) => {
  const { t } = useTranslation()
  const { copying, copy } = useCopy(secret, onCopied)
  const button = useRef<HTMLButtonElement>(null)
  // The button that had the focus vanished with the form.
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
      {copying === 'failed' && (
        <Text size="sm" c="var(--text-bad)" role="alert">
          {texts.copyFailed}
        </Text>
      )}
      <VisuallyHidden role="status">{copying === 'done' && t('common.copied')}</VisuallyHidden>
      <Group justify="flex-end">
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

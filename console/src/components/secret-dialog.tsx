import { Alert, Button, Code, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { Dialog } from './dialog.tsx'
import { useLeaveQuestion } from './leave-question.tsx'
import { useCopy } from './use-copy.ts'

interface SecretDialogProps {
  title: string
  secret: string | undefined
  /** The feature whose texts name the secret. */
  feature: 'applications' | 'serviceAccounts' | 'webhooks'
  /** The title once the secret is there. */
  created: string
  isDirty: boolean
  isPending: boolean
  onClose: () => void
  children: ReactNode
  next?: ReactNode
}

/**
 * A form that creates a secret, then the secret, shown once. Only the state of the form holds it: not the address,
 * the history, a cache or a storage. Closing the window drops it.
 */
export const SecretDialog = (props: SecretDialogProps) => {
  const { title, secret, feature, created, isDirty, isPending, onClose, children, next } = props
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  const isMade = secret !== undefined
  const isUnsaved = isMade ? !isCopied : isDirty
  const { ask, element } = useLeaveQuestion({
    isUnsaved,
    isWindow: true,
    ...(isMade && {
      title: t(`${feature}.uncopiedTitle`),
      confirm: t(`${feature}.closeUncopied`),
      children: t(`${feature}.uncopiedText`),
    }),
  })
  const close = async (): Promise<void> => {
    if (!isUnsaved || (await ask())) onClose()
  }
  return (
    <>
      <Dialog
        opened
        onClose={() => void close()}
        title={isMade ? created : title}
        closeOnClickOutside={false}
        // Lists that are still refreshed do not keep the window open.
        isPending={isPending && !isMade}
      >
        {isMade ? (
          <Secret
            secret={secret}
            feature={feature}
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

interface SecretProps extends Pick<SecretDialogProps, 'feature' | 'next' | 'onClose'> {
  secret: string
  onCopied: () => void
}

/** Shows the secret as text, because a browser may store the contents of a field. */
const Secret = ({ secret, feature, next, onCopied, onClose }: SecretProps) => {
  const { t } = useTranslation()
  const { copying, copy } = useCopy(secret, onCopied)
  const button = useRef<HTMLButtonElement>(null)
  // The focused button disappeared with the form.
  useEffect(() => button.current?.focus(), [])
  return (
    <Stack>
      <Alert color="yellow" icon={<IconAlertTriangle />} title={t(`${feature}.secretOnce`)}>
        {t(`${feature}.secretOnceText`)}
      </Alert>
      <Code block className="whole" aria-label={t(`${feature}.secret`)}>
        {secret}
      </Code>
      <Text size="sm" c="dimmed">
        {t(`${feature}.secretUse`)}
      </Text>
      {next}
      {copying === 'failed' && (
        <Text size="sm" c="var(--text-bad)" role="alert">
          {t(`${feature}.copyFailed`)}
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
          {copying === 'done' ? t('common.copied') : t(`${feature}.copySecret`)}
        </Button>
      </Group>
    </Stack>
  )
}

import { Alert, Button, Code, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useCopy } from '../../components/use-copy.ts'

interface KeySecretProps {
  secret: string
  onCopied: () => void
  onClose: () => void
}

/** Shows the secret as text: a browser may store the contents of a field. */
export const KeySecret = ({ secret, onCopied, onClose }: KeySecretProps) => {
  const { t } = useTranslation()
  const { copying, copy } = useCopy(secret, onCopied)
  const button = useRef<HTMLButtonElement>(null)
  // The button that had the focus vanished with the form.
  useEffect(() => button.current?.focus(), [])
  return (
    <Stack>
      <Alert color="yellow" icon={<IconAlertTriangle />} title={t('serviceAccounts.secretOnce')}>
        {t('serviceAccounts.secretOnceText')}
      </Alert>
      <Code block className="whole" aria-label={t('serviceAccounts.secret')}>
        {secret}
      </Code>
      <Text size="sm" c="dimmed">
        {t('serviceAccounts.secretUse')}
      </Text>
      {copying === 'failed' && (
        <Text size="sm" c="var(--text-bad)" role="alert">
          {t('serviceAccounts.copyFailed')}
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
          {t(copying === 'done' ? 'common.copied' : 'serviceAccounts.copySecret')}
        </Button>
      </Group>
    </Stack>
  )
}

import { Alert, Button, Code, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from '../../translation.ts'
import { saveFile } from '../../components/save-file.ts'
import { useCopy } from '../../components/use-copy.ts'
import { PrintCodes } from './print-codes.tsx'

interface RecoveryCodesProps {
  codes: string[]
  onKept: () => void
  onClose: () => void
}

export const RecoveryCodes = ({ codes, onKept, onClose }: RecoveryCodesProps) => {
  const { t } = useTranslation()
  const text = codes.join('\n')
  const { copying, copy } = useCopy(text, onKept)
  const button = useRef<HTMLButtonElement>(null)
  // The focused button disappeared with the form.
  useEffect(() => button.current?.focus(), [])
  // The codes belong to the account, whichever tenant is in scope.
  const save = (): void => {
    const day = new Date().toISOString().slice(0, 10)
    saveFile([`${text}\n`], `recovery-codes-${location.hostname}-${day}.txt`, 'text/plain;charset=utf-8')
    onKept()
  }
  return (
    <Stack>
      <Alert color="yellow" icon={<IconAlertTriangle />} title={t('factors.codesOnce')}>
        {t('factors.codesOnceText')}
      </Alert>
      <Code block aria-label={t('factors.codes')}>
        {text}
      </Code>
      {copying === 'failed' && (
        <Text size="sm" c="var(--text-bad)" role="alert">
          {t('factors.copyFailed')}
        </Text>
      )}
      <VisuallyHidden role="status">{copying === 'done' && t('common.copied')}</VisuallyHidden>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
        <PrintCodes codes={codes} onPrinted={onKept} />
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={save}>
          {t('factors.codesSave')}
        </Button>
        <Button
          ref={button}
          leftSection={copying === 'done' ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={copy}
        >
          {t(copying === 'done' ? 'common.copied' : 'factors.codesCopy')}
        </Button>
      </Group>
    </Stack>
  )
}

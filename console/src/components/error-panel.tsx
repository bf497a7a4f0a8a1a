import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { ApiError } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { CopyText } from './copy-text.tsx'
import { useErrorText } from './error-text.ts'

interface ErrorPanelProps {
  error: unknown
  onRetry?: () => void
}

const TraceId = ({ traceId }: { traceId: string }) => {
  const { t } = useTranslation()
  return (
    <Group gap="xs">
      <Text size="sm">{t('common.traceId')}</Text>
      <CopyText text={traceId} label={t('common.copyTraceId')} />
    </Group>
  )
}

/** In place of what could not be shown: why, the trace id for whoever runs the service, and a way on. */
export const ErrorPanel = ({ error, onRetry }: ErrorPanelProps) => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  const { status, traceId } = error instanceof ApiError ? error : { status: 0, traceId: '' }
  const isRefused = status === 403
  const look = isRefused
    ? { color: 'yellow', icon: <IconLock />, title: t('common.refused') }
    : { color: 'red', icon: <IconAlertTriangle />, title: t('common.failed') }
  return (
    <Alert role="alert" {...look}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{textOf(error)}</Text>
        {traceId !== '' && <TraceId traceId={traceId} />}
        {onRetry && !isRefused && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('common.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

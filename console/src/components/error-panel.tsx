import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { ApiError, type ErrorReason } from '@tenantry/client'
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

/** The address names a tenant that is not there for the reader; retained as it is, every other page would fail as well. */
const elsewhere: ErrorReason[] = ['tenantForeign', 'tenantUnknown']

const ToOwnTenant = () => {
  const { t } = useTranslation()
  return (
    <Button
      size="xs"
      variant="default"
      renderRoot={(props: object) => <Link to="/" search={{ tenant: undefined }} {...props} />}
    >
      {t('common.toOwnTenant')}
    </Button>
  )
}

const ways = (error: unknown) => {
  const { status, reason } = error instanceof ApiError ? error : { status: 0, reason: 'unknown' as const }
  const isRefused = status === 403
  return {
    isRefused,
    // A tenant is enabled again without any doing of its users.
    canRetry: !isRefused || reason === 'tenantDisabled',
    isElsewhere: elsewhere.includes(reason),
  }
}

/** In place of what could not be shown: why, the trace id for whoever runs the service, and a way on. */
export const ErrorPanel = ({ error, onRetry }: ErrorPanelProps) => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  const { isRefused, canRetry, isElsewhere } = ways(error)
  const look = isRefused
    ? { color: 'yellow', icon: <IconLock />, title: t('common.refused') }
    : { color: 'red', icon: <IconAlertTriangle />, title: t('common.failed') }
  return (
    <Alert role="alert" {...look}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{textOf(error)}</Text>
        {error instanceof ApiError && error.traceId !== '' && <TraceId traceId={error.traceId} />}
        {onRetry && canRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('common.retry')}
          </Button>
        )}
        {isElsewhere && <ToOwnTenant />}
      </Stack>
    </Alert>
  )
}

import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff, IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { ApiError, type ErrorReason } from '@tenantry/client'
import { use } from 'react'
import { accountPages } from '../session/account-pages.ts'
import { useTranslation } from '../translation.ts'
import { isOutage, ReportedOutage } from '../session/outage.ts'
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

/**
 * Errors about the tenant in the URL. The panel offers to remove that tenant, because all other pages would fail too.
 */
const foreignTenantReasons: ErrorReason[] = ['tenantForeign', 'tenantUnknown']

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

/** A link to the own account, which asks for the missing proof. */
const ToProfile = () => {
  const { t } = useTranslation()
  return (
    <Button size="xs" variant="default" component="a" href={accountPages.signIn}>
      {t('common.toFactors')}
    </Button>
  )
}

const remediesOf = (error: unknown) => {
  const { status, reason } = error instanceof ApiError ? error : { status: 0, reason: 'unknown' as const }
  const isRefused = status === 403
  return {
    isRefused,
    // An administrator can enable the tenant again meanwhile.
    canRetry: !isRefused || reason === 'tenantDisabled',
    isForeignTenant: foreignTenantReasons.includes(reason),
    isRestricted: reason === 'sessionRestricted' || reason === 'passwordExpired',
  }
}

/** Replaces a part that loads again after an outage. The banner reports the outage. */
const AwaitingService = () => {
  const { t } = useTranslation()
  return (
    <Group gap="xs" c="dimmed" py="md" wrap="nowrap">
      <IconCloudOff size={18} stroke={1.5} />
      <Text size="sm">{t('common.awaited')}</Text>
    </Group>
  )
}

/** Replaces a failed part. Shows the reason, the trace id for the operator, and a retry button. */
export const ErrorPanel = (props: ErrorPanelProps) => {
  const isReported = use(ReportedOutage) !== undefined
  return isReported && props.onRetry && isOutage(props.error) ? <AwaitingService /> : <Panel {...props} />
}

const Panel = ({ error, onRetry }: ErrorPanelProps) => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  const { isRefused, canRetry, isForeignTenant, isRestricted } = remediesOf(error)
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
        {isForeignTenant && <ToOwnTenant />}
        {isRestricted && <ToProfile />}
      </Stack>
    </Alert>
  )
}

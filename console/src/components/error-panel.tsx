import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff, IconLock, IconMapQuestion } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { ApiError, type ErrorReason } from '@tenantry/client'
import { use } from 'react'
import { accountPages } from '../session/account-pages.ts'
import { refusedChange } from '../session/refused-change.ts'
import { useTranslation, type TextKey } from '../translation.ts'
import { isOutage, ReportedOutage } from '../session/outage.ts'
import { CopyText } from './copy-text.tsx'
import { useErrorText } from './error-text.ts'
import { inSight } from './in-sight.ts'

interface ErrorPanelProps {
  error: unknown
  /** Replaces the title that the error has by itself. */
  title?: string
  onRetry?: () => void
  /** True above a form, which keeps its input. */
  isOfForm?: boolean | undefined
}

/** Only such an error has more in the log of the service. */
const isFault = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 500 && error.traceId !== ''

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

/** Errors that the person mends in the own account. */
const restrictions: ErrorReason[] = ['sessionRestricted', 'passwordExpired', 'mfaRequired']

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
export const ToProfile = () => {
  const { t } = useTranslation()
  return (
    <Button size="xs" variant="default" component="a" href={accountPages.signIn}>
      {t('common.toFactors')}
    </Button>
  )
}

/** Opens the window of the frame that asks others to approve the change. */
const AskApproval = ({ error }: { error: unknown }) => {
  const { t } = useTranslation()
  if (!(error instanceof ApiError) || !error.refused) return null
  return (
    <Button size="xs" variant="default" onClick={() => refusedChange.set(error)}>
      {t('common.askApproval')}
    </Button>
  )
}

const refusalTitles: Partial<Record<ErrorReason, TextKey>> = {
  approvalNeeded: 'common.needsApproval',
  mfaRequired: 'common.needsFactor',
  tenantDisabled: 'common.tenantDisabled',
  tenantSuspended: 'common.tenantDisabled',
}

const remediesOf = (error: unknown) => {
  const { status, reason } = error instanceof ApiError ? error : { status: 0, reason: 'unknown' as const }
  const isRefused = status === 403
  return {
    isRefused,
    title: refusalTitles[reason] ?? 'common.refused',
    // An administrator can enable the tenant again meanwhile.
    canRetry: reason === 'tenantDisabled' || (!isRefused && reason !== 'tenantUnknown'),
    isForeignTenant: foreignTenantReasons.includes(reason),
    isRestricted: restrictions.includes(reason),
  }
}

/** The title of the panel, its color and its icon. */
const useLook = (error: unknown) => {
  const { t } = useTranslation()
  const { isRefused, isForeignTenant, title } = remediesOf(error)
  if (isRefused) return { color: 'yellow', icon: <IconLock />, title: t(title) }
  if (isForeignTenant) {
    const name = t('places.tenant')
    return { color: 'gray', icon: <IconMapQuestion />, title: t('missing.title', { name }) }
  }
  return { color: 'red', icon: <IconAlertTriangle />, title: t('common.failed') }
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
  const isReported = use(ReportedOutage) !== undefined && isOutage(props.error)
  if (isReported && props.onRetry) return <AwaitingService />
  return isReported && props.isOfForm ? <KeptInput /> : <Panel {...props} />
}

/** Above a form below the banner, which reports the outage. */
const KeptInput = () => {
  const { t } = useTranslation()
  return (
    <Alert role="alert" color="orange" icon={<IconCloudOff />} title={t('common.inputKept')}>
      {t('common.sendLater')}
    </Alert>
  )
}

const Reason = ({ error, isOfForm = false }: ErrorPanelProps) => {
  const { t, gap } = useTranslation()
  const text = useErrorText()(error)
  return <Text size="sm">{isOfForm && isOutage(error) ? `${text}${gap}${t('common.inputKept')}` : text}</Text>
}

const Panel = ({ error, title, onRetry, isOfForm }: ErrorPanelProps) => {
  const { t } = useTranslation()
  const { canRetry, isForeignTenant, isRestricted } = remediesOf(error)
  const look = useLook(error)
  return (
    <Alert ref={inSight} role="alert" {...look} title={title ?? look.title}>
      <Stack gap="sm" align="flex-start">
        <Reason error={error} isOfForm={isOfForm} />
        {isFault(error) && <TraceId traceId={error.traceId} />}
        {onRetry && canRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('common.retry')}
          </Button>
        )}
        {isForeignTenant && <ToOwnTenant />}
        {isRestricted && <ToProfile />}
        <AskApproval error={error} />
      </Stack>
    </Alert>
  )
}

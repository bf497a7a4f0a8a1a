import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { ApiError } from '@tenantry/client'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useTranslation } from '../../translation.ts'
import { TooManyChanges } from './authz.queries.ts'

/** Reasons that only previews have. The error panel explains all others. */
const reasonOf = (error: unknown) => {
  if (error instanceof TooManyChanges) return 'authz.tooMany'
  const { reason } = error instanceof ApiError ? error : { reason: undefined }
  if (reason === 'permissionMissing') return 'authz.notPermitted'
  if (reason === 'overloaded') return 'authz.tooSlow'
  return reason === 'tooManyRequests' ? 'authz.twice' : undefined
}

interface EffectErrorProps {
  error: unknown
  onRetry: () => void
}

/** Says why the effect is unknown. Comes with the page, because the network may be what failed. */
export const EffectError = ({ error, onRetry }: EffectErrorProps) => {
  const { t } = useTranslation()
  const reason = reasonOf(error)
  if (reason === undefined) return <ErrorPanel error={error} title={t('authz.notKnown')} onRetry={onRetry} />
  const canRetry = reason === 'authz.tooSlow' || reason === 'authz.twice'
  return (
    <Alert color="yellow" role="alert" icon={<IconHelp />} title={t('authz.unknown')}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t(reason)}</Text>
        {canRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('common.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

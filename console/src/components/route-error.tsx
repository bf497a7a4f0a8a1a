import { Button, Container, Stack } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { ApiError } from '@tenantry/client'
import { useTranslation } from '../translation.ts'
import { signOut } from '../session/client.ts'
import { isOutage, useAfterOutage } from '../session/outage.ts'
import { ErrorPanel } from './error-panel.tsx'

/** Replaces a page that could not be loaded, or the whole frame if the caller is unknown. */
export const RouteError = ({ error }: ErrorComponentProps) => {
  const { t } = useTranslation()
  const router = useRouter()
  const retry = (): void => {
    if (error instanceof ApiError) void router.invalidate()
    else location.reload()
  }
  useAfterOutage(() => {
    if (isOutage(error)) retry()
  })
  const isRefused = error instanceof ApiError && [401, 403].includes(error.status)
  return (
    <Container size="sm" py="xl">
      <Stack align="flex-start">
        <ErrorPanel error={error} onRetry={retry} />
        {/* This page lacks the user menu, so it offers to sign out. */}
        {isRefused && (
          <Button variant="default" onClick={() => void signOut()}>
            {t('shell.signOut')}
          </Button>
        )}
      </Stack>
    </Container>
  )
}

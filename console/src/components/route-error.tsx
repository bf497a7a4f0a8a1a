import { Button, Container, Stack } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { ApiError } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { signOut } from '../session/client.ts'
import { ErrorPanel } from './error-panel.tsx'

/** In place of a page whose data or code could not be loaded; of the whole frame, when it is not known who is signed in. */
export const RouteError = ({ error }: ErrorComponentProps) => {
  const { t } = useTranslation()
  const router = useRouter()
  const retry = (): void => {
    if (error instanceof ApiError) void router.invalidate()
    else location.reload()
  }
  const isRefused = error instanceof ApiError && [401, 403].includes(error.status)
  return (
    <Container size="sm" py="xl">
      <Stack align="flex-start">
        <ErrorPanel error={error} onRetry={retry} />
        {/* The menu with it is not there. */}
        {isRefused && (
          <Button variant="default" onClick={() => void signOut()}>
            {t('shell.signOut')}
          </Button>
        )}
      </Stack>
    </Container>
  )
}

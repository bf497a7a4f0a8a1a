import { Container } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { ApiError } from '@tenantry/client'
import { useEffect } from 'react'
import { ErrorPanel } from './error-panel.tsx'

const reloadedKey = 'tenantry.reloaded'

/** As Chromium, Firefox and Safari say that a part of the console is not there. */
const isPartMissing = (error: unknown): error is Error =>
  error instanceof Error && /dynamically imported module|Importing a module script failed/.test(error.message)

/**
 * A part that is missing has been replaced by an upgrade: the window loaded anew knows the new ones. Once for each, so
 * that one which stays away is told of.
 */
const useReloadOnce = (error: unknown): void => {
  useEffect(() => {
    if (!isPartMissing(error) || sessionStorage.getItem(reloadedKey) === error.message) return
    sessionStorage.setItem(reloadedKey, error.message)
    location.reload()
  }, [error])
}

/** In place of a page whose data or code could not be loaded. */
export const RouteError = ({ error }: ErrorComponentProps) => {
  const router = useRouter()
  useReloadOnce(error)
  const retry = (): void => {
    if (error instanceof ApiError) void router.invalidate()
    else location.reload()
  }
  return (
    <Container size="sm" py="xl">
      <ErrorPanel error={error} onRetry={retry} />
    </Container>
  )
}

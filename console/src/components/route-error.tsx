import { Container } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { ErrorPanel } from './error-panel.tsx'

/** In place of a page whose data or code could not be loaded. */
export const RouteError = ({ error }: ErrorComponentProps) => {
  const router = useRouter()
  return (
    <Container size="sm" py="xl">
      <ErrorPanel error={error} onRetry={() => void router.invalidate()} />
    </Container>
  )
}

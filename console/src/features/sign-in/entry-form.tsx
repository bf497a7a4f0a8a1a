import { Button, Stack, Text } from '@mantine/core'
import { ApiError } from '@tenantry/client'
import type { ReactNode, SubmitEventHandler } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useErrorText } from '../../components/error-text.ts'

interface Props {
  onSubmit: SubmitEventHandler<HTMLFormElement>
  isSending: boolean
  error: unknown
  submit: string
  /** Stands before the fields, and stays. */
  head?: ReactNode
  /** Another way, in place of the fields and their button. */
  instead?: ReactNode
  children: ReactNode
}

/** A wrong password is no fault of the service, so it needs one line and no trace id. */
const EntryError = ({ error }: { error: unknown }) => {
  const textOf = useErrorText()
  const isPlain = error instanceof ApiError && (error.reason === 'credentialsWrong' || error.status === 429)
  if (!isPlain) return <ErrorPanel error={error} />
  return (
    <Text size="sm" c="error" role="alert">
      {textOf(error)}
    </Text>
  )
}

export const EntryForm = ({ onSubmit, isSending, error, submit, head, instead, children }: Props) => (
  <form noValidate onSubmit={onSubmit}>
    <Stack>
      {error !== undefined && <EntryError error={error} />}
      {head}
      {instead || (
        <>
          {children}
          <Button type="submit" loading={isSending} fullWidth>
            {submit}
          </Button>
        </>
      )}
    </Stack>
  </form>
)

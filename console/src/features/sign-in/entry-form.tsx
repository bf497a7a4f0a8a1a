import { Button, Stack } from '@mantine/core'
import type { ReactNode, SubmitEventHandler } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'

interface Props {
  onSubmit: SubmitEventHandler<HTMLFormElement>
  isSending: boolean
  error: unknown
  submit: string
  children: ReactNode
}

export const EntryForm = ({ onSubmit, isSending, error, submit, children }: Props) => (
  <form onSubmit={onSubmit}>
    <Stack>
      {error !== undefined && <ErrorPanel error={error} />}
      {children}
      <Button type="submit" loading={isSending} fullWidth>
        {submit}
      </Button>
    </Stack>
  </form>
)

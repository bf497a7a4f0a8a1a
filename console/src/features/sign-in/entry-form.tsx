import { Button, Stack, Text } from '@mantine/core'
import { ApiError } from '@tenantry/client'
import type { ReactNode, SubmitEventHandler } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useErrorText } from '../../components/error-text.ts'
import { ByProvider } from './by-provider.tsx'

interface Props {
  onSubmit: SubmitEventHandler<HTMLFormElement>
  isSending: boolean
  error: unknown
  /** The address that is signed in, where the form knows it. */
  email?: string | undefined
  /** Called on the way to a provider. */
  onLeave?: (() => void) | undefined
  submit: string
  /** Stands before the fields, and stays. */
  head?: ReactNode
  /** Another way, in place of the fields and their button. */
  instead?: ReactNode
  children: ReactNode
}

/** The organization takes nobody by another way than its provider. */
const toProvider = ['connectionNeeded', 'connectionNeededHere']

/** These are no fault of the service, so they need one line and no trace id. */
const plain = ['credentialsWrong', ...toProvider]

const EntryError = ({ error, email, onLeave }: Pick<Props, 'error' | 'email' | 'onLeave'>) => {
  const textOf = useErrorText()
  const { reason = '', status = 0 } = error instanceof ApiError ? error : {}
  if (!plain.includes(reason) && status !== 429) return <ErrorPanel error={error} />
  return (
    <>
      <Text size="sm" c="var(--text-bad)" role="alert">
        {textOf(error)}
      </Text>
      {toProvider.includes(reason) && <ByProvider email={email} onLeave={onLeave} />}
    </>
  )
}

export const EntryForm = ({ onSubmit, isSending, error, submit, head, instead, children, ...way }: Props) => (
  <form noValidate onSubmit={onSubmit}>
    <Stack>
      {error !== undefined && <EntryError error={error} {...way} />}
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

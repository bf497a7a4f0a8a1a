import { Stack, type StackProps } from '@mantine/core'
import { ErrorPanel } from './error-panel.tsx'
import { LeaveQuestion } from './leave-question.tsx'
import type { useSubmit } from './use-submit.ts'

interface PageFormProps extends StackProps {
  isDirty: boolean
  sending: ReturnType<typeof useSubmit>
}

/** A form in a page. Asks before typed text is lost, and shows the form's error. */
export const PageForm = ({ isDirty, sending: { onSubmit, error }, children, ...stack }: PageFormProps) => (
  <form noValidate onSubmit={onSubmit}>
    <LeaveQuestion isUnsaved={isDirty} />
    <Stack {...stack}>
      {error !== undefined && <ErrorPanel error={error} isOfForm />}
      {children}
    </Stack>
  </form>
)

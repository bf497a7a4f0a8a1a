import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { Dialog, Refused } from './dialog.tsx'
import { ErrorPanel } from './error-panel.tsx'

export interface ConfirmModalProps {
  opened: boolean
  onClose: () => void
  title: string
  /** States the effect of the change, and whether the user can undo it. */
  children: ReactNode
  /** The label of the button. It names the change, such as "Delete 3 users". */
  confirm: string
  onConfirm: () => void
  /** The text that the user must type before an irreversible change. */
  word?: string
  /** The label of its field, if it says more than the word. */
  wordLabel?: string
  /** Shown below the text, for example the affected users. */
  effect?: ReactNode
  /** The reason why the service would refuse the change. It replaces the question. */
  refusal?: ReactNode
  /** Disables the confirmation. */
  isBlocked?: boolean
  /** The colour of the button. Set it for a change that removes nothing. */
  color?: string
  isPending?: boolean
  error?: unknown
  /** Fetches the dialog before its first use, so that it opens at once. */
  isAwaited?: boolean
}

export const ConfirmModal = ({ opened, onClose, title, isAwaited, ...body }: ConfirmModalProps) => (
  <Dialog {...{ opened, onClose, title }} isPending={body.isPending ?? false} isAwaited={isAwaited ?? false}>
    <ConfirmBody onClose={onClose} {...body} />
  </Dialog>
)

interface Mutation<Arguments extends unknown[]> {
  mutate: (...variables: Arguments) => void
  isPending: boolean
  error: unknown
}

/** Confirming runs the mutation. The dialog then shows its progress and its error. */
export const mutationProps = <Arguments extends unknown[]>(
  { mutate, isPending, error }: Mutation<Arguments>,
  ...variables: Arguments
) => ({ onConfirm: () => mutate(...variables), isPending, error })

type ConfirmBodyProps = Omit<ConfirmModalProps, 'opened' | 'title' | 'isAwaited'>

/** The field into which the user types `word`. `isRight` also shows the fault of the field. */
const useTypedWord = (word: string | undefined, label: string | undefined) => {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const isRight = (): boolean => {
    if (word === undefined || typed === word) return true
    setFault(t(typed === '' ? 'fieldFaults.missing' : 'fieldFaults.word', { word }))
    input.current?.focus()
    return false
  }
  const field = word !== undefined && (
    <TextInput
      ref={input}
      label={label ?? t('common.typeWord', { word })}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        setFault(undefined)
      }}
      error={fault}
      autoComplete="off"
      data-autofocus
    />
  )
  return { field, isRight }
}

/** A separate component, so that closing the dialog drops the typed text. */
const ConfirmBody = (props: ConfirmBodyProps) => {
  const { onClose, children, confirm, onConfirm, word, effect, isPending = false, error } = props
  const { isBlocked = false, refusal, color = 'red.9', wordLabel } = props
  const { t } = useTranslation()
  const { field, isRight } = useTypedWord(word, wordLabel)
  if (refusal !== undefined) return <Refused onClose={onClose}>{refusal}</Refused>
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // React propagates the event to a form around the dialog.
        event.stopPropagation()
        if (isRight()) onConfirm()
      }}
    >
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        {effect}
        {field}
        {error !== undefined && error !== null && <ErrorPanel error={error} />}
        <Group justify="flex-end">
          <Button variant="default" disabled={isPending} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" color={color} loading={isPending} disabled={isBlocked}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

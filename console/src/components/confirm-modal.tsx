import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { Dialog } from './dialog.tsx'
import { ErrorPanel } from './error-panel.tsx'

export interface ConfirmModalProps {
  opened: boolean
  onClose: () => void
  title: string
  /** Says what the change does and whether it can be undone. */
  children: ReactNode
  /** Names the change on its button, as in "Delete 3 users". */
  confirm: string
  onConfirm: () => void
  /** Has to be typed before a change that cannot be undone. */
  word?: string
  /** Shown below the text, such as the users whom the change concerns. */
  effect?: ReactNode
  /** Whether the change cannot be confirmed yet. */
  isBlocked?: boolean
  /** The colour of its button, for a change that takes nothing away. */
  color?: string
  isPending?: boolean
  error?: unknown
  /** Whether it has to open at once, so that it is fetched before. */
  isAwaited?: boolean
}

/** Asks before a change that is hard to undo. */
export const ConfirmModal = ({ opened, onClose, title, isAwaited, ...body }: ConfirmModalProps) => (
  <Dialog {...{ opened, onClose, title }} isPending={body.isPending ?? false} isAwaited={isAwaited ?? false}>
    <ConfirmBody onClose={onClose} {...body} />
  </Dialog>
)

type ConfirmBodyProps = Omit<ConfirmModalProps, 'opened' | 'title' | 'isAwaited'>

/** The field of a word that has to be typed. `isRight` shows its fault, and says whether there is none. */
const useTypedWord = (word: string | undefined) => {
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
      label={t('common.typeWord', { word })}
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

/** A component of its own, so that closing the dialog forgets the typed text. */
const ConfirmBody = (props: ConfirmBodyProps) => {
  const { onClose, children, confirm, onConfirm, word, effect, isPending = false, error } = props
  const { isBlocked = false, color = 'red.9' } = props
  const { t } = useTranslation()
  const { field, isRight } = useTypedWord(word)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // React passes the event on to the form around the dialog.
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

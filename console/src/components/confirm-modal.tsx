import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'
import { ErrorPanel } from './error-panel.tsx'

interface ConfirmModalProps {
  opened: boolean
  onClose: () => void
  title: string
  /** What will happen, and whether it can be undone. */
  children: ReactNode
  /** Names what is done, as in "Delete 3 users". */
  confirm: string
  onConfirm: () => void
  /** What has to be typed before: for what cannot be undone. */
  word?: string
  isPending?: boolean
  error?: unknown
}

/** Asks before something that is hard to take back. */
export const ConfirmModal = ({ opened, onClose, title, ...body }: ConfirmModalProps) => (
  <Dialog opened={opened} onClose={onClose} title={title} isPending={body.isPending ?? false}>
    <ConfirmBody onClose={onClose} {...body} />
  </Dialog>
)

type ConfirmBodyProps = Omit<ConfirmModalProps, 'opened' | 'title'>

/** Apart from the dialog, so that what was typed goes with it. */
const ConfirmBody = (props: ConfirmBodyProps) => {
  const { onClose, children, confirm, onConfirm, word, isPending = false, error } = props
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        // In React it goes on to a form that the question stands in.
        event.stopPropagation()
        onConfirm()
      }}
    >
      <Stack>
        <Text size="sm">{children}</Text>
        {word !== undefined && (
          <TextInput
            label={t('common.typeWord', { word })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {error !== undefined && error !== null && <ErrorPanel error={error} />}
        <Group justify="flex-end">
          <Button variant="default" disabled={isPending} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            type="submit"
            color="red.9"
            loading={isPending}
            disabled={word !== undefined && typed !== word}
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

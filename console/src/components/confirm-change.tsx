import { Button, type ButtonProps } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListPath } from './back-link.tsx'
import { ConfirmModal, mutationProps, type ConfirmModalProps } from './confirm-modal.tsx'
import { useNotify } from './use-notify.ts'
import { useRenew } from './use-renew.ts'

interface Change {
  /** Sends the change. */
  send: () => Promise<unknown>
  /** Closes the window. */
  onClose: () => void
  /** The list that opens after a deletion: the page of the deleted resource would request it again. */
  leaveTo?: ListPath | undefined
  /** The notice of success. */
  done: string
}

/** The properties of a `ConfirmModal`, or of a `ConfirmChanges` that sends a change. */
export const useChange = ({ send, onClose, leaveTo, done }: Change) => {
  const renew = useRenew()
  const notify = useNotify()
  const navigate = useNavigate()
  const sending = useMutation({
    mutationFn: send,
    onSuccess: async () => {
      if (leaveTo) await navigate({ to: leaveTo, ignoreBlocker: true })
      else onClose()
      notify(done)
      await renew()
    },
    // Another user may have made the change meanwhile.
    onError: () => void renew(),
  })
  return { onClose, ...mutationProps(sending) }
}

type Question = Omit<ConfirmModalProps, 'opened' | 'onClose' | 'onConfirm' | 'isPending' | 'error'>

export type ConfirmChangeProps = Change & Question

/** Asks first, and then sends the change. */
export const ConfirmChange = ({ send, onClose, leaveTo, done, ...question }: ConfirmChangeProps) => (
  <ConfirmModal opened {...question} {...useChange({ send, onClose, leaveTo, done })} />
)

interface ConfirmButtonProps
  extends Omit<Change, 'onClose'>, Question, Pick<ButtonProps, 'size' | 'variant'> {
  isDeletion?: boolean
  /** The label for screen readers, which names the resource. */
  label?: string
}

/** A button and the question that it opens. Both have the same name. */
export const ConfirmButton = ({
  isDeletion = false,
  variant = 'default',
  size = 'sm',
  label,
  ...change
}: ConfirmButtonProps) => {
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <Button
        {...(isDeletion ? { color: 'red', variant: 'light' } : { variant })}
        size={size}
        aria-label={label}
        onClick={() => setAsked(true)}
      >
        {change.confirm}
      </Button>
      {isAsked && <ConfirmChange {...change} onClose={() => setAsked(false)} />}
    </>
  )
}

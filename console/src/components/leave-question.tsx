import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ConfirmModal } from './confirm-modal.tsx'

interface LeaveQuestionProps {
  /** Whether something would be lost. */
  isHeld: boolean
  title: string
  confirm: string
  /** What would be lost. */
  children: ReactNode
}

const tenantOf = (search: object): unknown => Reflect.get(search, 'tenant')

/** Asks before the page is left while something would be lost. Another search or other columns leave nothing. */
export const LeaveQuestion = ({ isHeld, ...question }: LeaveQuestionProps) => {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isHeld && (current.pathname !== next.pathname || tenantOf(current.search) !== tenantOf(next.search)),
    enableBeforeUnload: isHeld,
    withResolver: true,
  })
  return (
    <ConfirmModal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      onConfirm={() => proceed?.()}
      {...question}
    />
  )
}

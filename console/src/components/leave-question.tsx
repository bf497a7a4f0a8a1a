import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { ConfirmModal } from './confirm-modal.tsx'
import { hold, type Ask } from './held.ts'

interface Question {
  title: string
  confirm: string
  /** What would be lost. */
  children: ReactNode
}

interface LeaveQuestionProps extends Question {
  /** Whether something would be lost. */
  isHeld: boolean
  /** In a window, which goes with any change of the address. */
  isWindow?: boolean
}

/** Another search or other columns leave nothing. */
const pageOf = ({ pathname, search }: { pathname: string; search: object }): string =>
  [pathname, Reflect.get(search, 'tenant'), Reflect.get(search, 'tab')].join(' ')

/** `ask` opens the question and waits for its answer. */
const useAnswer = () => {
  const [answer, setAnswer] = useState<(isLeaving: boolean) => void>()
  const ask: Ask = useCallback(
    () =>
      new Promise((resolve) => {
        setAnswer(() => (isLeaving: boolean) => {
          setAnswer(undefined)
          resolve(isLeaving)
        })
      }),
    [],
  )
  return { answer, ask }
}

/** Asks before the page is left while something would be lost; whatever else would lose it calls `ask`. */
export const useLeaveQuestion = ({ isHeld, isWindow = false, ...question }: LeaveQuestionProps) => {
  const { answer, ask } = useAnswer()
  useEffect(() => (isHeld ? hold(ask) : undefined), [isHeld, ask])
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      isHeld && (isWindow || pageOf(current) !== pageOf(next)) && !(await ask()),
    enableBeforeUnload: isHeld,
  })
  const element = (
    <ConfirmModal
      opened={answer !== undefined}
      onClose={() => answer?.(false)}
      onConfirm={() => answer?.(true)}
      {...question}
    />
  )
  return { ask, element }
}

export const LeaveQuestion = (props: LeaveQuestionProps) => useLeaveQuestion(props).element

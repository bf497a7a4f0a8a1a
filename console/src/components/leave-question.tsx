import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from '../translation.ts'
import { ConfirmModal } from './confirm-modal.tsx'
import { type AskToLeave, registerUnsavedWork } from './unsaved-work.ts'

export interface Question {
  title: string
  confirm: string
  children: ReactNode
}

/** Without its own texts, the question is about typed text. */
interface LeaveQuestionProps extends Partial<Question> {
  isUnsaved: boolean
  /** True for a window. A window closes on any change of the URL, so it asks before each. */
  isWindow?: boolean
}

/** A change of search or columns does not leave the page. */
const pageOf = ({ pathname, search }: { pathname: string; search: object }): string =>
  [pathname, Reflect.get(search, 'tenant'), Reflect.get(search, 'tab')].join(' ')

/** `ask` opens the question and resolves to its answer. */
const useAnswer = () => {
  const [answer, setAnswer] = useState<(isLeaving: boolean) => void>()
  // Deferred, because the Escape key that asks would also reach the question and close it. `flushSync` lets the next
  // Escape key reach the question.
  const ask: AskToLeave = useCallback(async () => {
    await new Promise((resolve) => setTimeout(resolve))
    return new Promise((resolve) => {
      const settle = (isLeaving: boolean): void => {
        setAnswer(undefined)
        resolve(isLeaving)
      }
      flushSync(() => setAnswer(() => settle))
    })
  }, [])
  return { answer, ask }
}

/**
 * Asks before the user leaves a page with unsaved work. Call `ask` before any other action that would lose the work.
 */
export const useLeaveQuestion = ({ isUnsaved, isWindow = false, ...question }: LeaveQuestionProps) => {
  const { t } = useTranslation()
  const { answer, ask } = useAnswer()
  useEffect(() => (isUnsaved ? registerUnsavedWork(ask) : undefined), [isUnsaved, ask])
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      isUnsaved && (isWindow || pageOf(current) !== pageOf(next)) && !(await ask()),
    enableBeforeUnload: isUnsaved,
  })
  const element = (
    <ConfirmModal
      opened={answer !== undefined}
      isAwaited={isUnsaved}
      onClose={() => answer?.(false)}
      onConfirm={() => answer?.(true)}
      title={t('common.leaveTitle')}
      confirm={t('common.leave')}
      {...question}
    >
      {question.children ?? t('common.leaveText')}
    </ConfirmModal>
  )
  return { ask, element }
}

export const LeaveQuestion = (props: LeaveQuestionProps) => useLeaveQuestion(props).element

/**
 * Asks before the user leaves a page with running work. After leaving, running items finish and the others are dropped.
 */
export const LeaveWork = ({ isRunning }: { isRunning: boolean }) => {
  const { t } = useTranslation()
  return (
    <LeaveQuestion isUnsaved={isRunning} title={t('common.stopTitle')} confirm={t('common.stopAndLeave')}>
      {t('common.stopText')}
    </LeaveQuestion>
  )
}

import { notifications } from '@mantine/notifications'
import { createElement } from 'react'
import { useTranslation } from '../translation.ts'
import { Notice, type NoticeAction } from './notice.tsx'

/** This time suffices to read the text and to reach its button by keyboard. Hovering pauses it. */
const actionMs = 15_000

type TakeBack = () => void

/**
 * Confirms a success in a corner of the page, optionally with a button such as Undo. For a failure, show an
 * `ErrorPanel` where the failure is.
 */
export const useNotify = () => {
  const { t } = useTranslation()
  const look = { color: 'teal', closeButtonProps: { 'aria-label': t('common.close') } }
  return (message: string, action?: NoticeAction): TakeBack => {
    const hide = (): void => void notifications.hide(id)
    const run = (): void => {
      hide()
      action?.run()
    }
    const id = notifications.show(
      action
        ? {
            ...look,
            message: createElement(Notice, { message, action: { ...action, run } }),
            autoClose: actionMs,
          }
        : { ...look, message },
    )
    return hide
  }
}

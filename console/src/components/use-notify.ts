import { notifications } from '@mantine/notifications'
import { createElement } from 'react'
import { useTranslation } from 'react-i18next'
import { Notice, type NoticeAction } from './notice.tsx'

/** Long enough to read it, and to reach its button by keyboard; pointing at it stops the clock. */
const actionMs = 15_000

/** Takes back what was said, with the button that it offered. */
type TakeBack = () => void

/**
 * Says at the corner that something is done, and offers what follows, such as to undo it. What went wrong stays where it
 * was tried, as an `ErrorPanel`.
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

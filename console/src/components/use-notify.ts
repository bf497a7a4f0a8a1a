import { createElement } from 'react'
import { useTranslation } from 'react-i18next'
import { Notice, type NoticeAction } from './notice.tsx'

/** Long enough to read it, and to reach its button by keyboard; pointing at it stops the clock. */
const actionMs = 15_000

/**
 * Says at the corner that something is done, and offers what follows, such as to undo it. What went wrong stays where it
 * was tried, as an `ErrorPanel`.
 */
export const useNotify = () => {
  const { t } = useTranslation()
  const show = async (message: string, action?: NoticeAction): Promise<void> => {
    // With the frame, which shows them (shell.tsx): no page waits for it.
    const { notifications } = await import('@mantine/notifications')
    const look = { color: 'teal', closeButtonProps: { 'aria-label': t('common.close') } }
    if (!action) {
      notifications.show({ ...look, message })
      return
    }
    const run = (): void => {
      notifications.hide(id)
      action.run()
    }
    const notice = createElement(Notice, { message, action: { ...action, run } })
    const id = notifications.show({ ...look, message: notice, autoClose: actionMs })
  }
  return (message: string, action?: NoticeAction): void => void show(message, action)
}

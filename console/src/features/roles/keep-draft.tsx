import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ConfirmModal } from '../../components/confirm-modal.tsx'

/** Asks before the page is left while something is not saved. Another search or other columns leave nothing. */
export const KeepDraft = ({ count }: { count: number }) => {
  const { t } = useTranslation()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      count > 0 && (current.pathname !== next.pathname || tenantOf(current.search) !== tenantOf(next.search)),
    enableBeforeUnload: count > 0,
    withResolver: true,
  })
  return (
    <ConfirmModal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={t('roles.leaveTitle')}
      confirm={t('roles.leave')}
      onConfirm={() => proceed?.()}
    >
      {t('roles.drafted', { count })}
    </ConfirmModal>
  )
}

const tenantOf = (search: object): unknown => Reflect.get(search, 'tenant')

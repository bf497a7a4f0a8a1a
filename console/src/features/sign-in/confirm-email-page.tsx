import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from '../../translation.ts'
import { EmailActions } from '../profile/email-card.views.tsx'
import { RestrictedFrame } from './restricted-frame.tsx'

const route = getRouteApi('/confirm-email')

export const ConfirmEmailPage = () => {
  const { t } = useTranslation()
  const { next = '/' } = route.useSearch()
  const { email } = route.useRouteContext()
  return (
    <RestrictedFrame
      title={t('signIn.confirmEmail')}
      text={t('recovery.confirmText', { email })}
      next={next}
      canGoOn
    >
      <EmailActions email={email} isConfirmed={false} />
    </RestrictedFrame>
  )
}

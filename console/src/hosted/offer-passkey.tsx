import type { Interaction } from '@tenantry/client'
import { useEffect } from 'react'
import { canUsePasskeys, createPasskey } from '../session/passkey.ts'
import { useTranslation } from '../translation.ts'
import { Button, Failure } from './kit.tsx'
import { send } from './send.ts'
import { useAct } from './use-form.ts'
import type { StepProps } from './use-interaction.ts'

/** Offers a passkey after the sign-in. A browser that cannot create one skips the step. */
export const OfferPasskey = ({ interaction: { id }, act }: StepProps) => {
  const { t } = useTranslation()
  const accepting = useAct(async () => {
    const wish = { type: 'passkey', name: t('factors.passkeyDevice') }
    const { enrolment } = await send<Interaction>('POST', `/oauth2/interactions/${id}/enrol`, wish)
    if (enrolment && 'challenge' in enrolment) {
      await act('enrol/confirm', { response: await createPasskey(enrolment) })
    }
  })
  const declining = useAct(() => act('skip'))
  const { run: decline } = declining
  useEffect(() => {
    if (!canUsePasskeys()) decline()
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the step is shown
  }, [])
  return (
    <>
      <p>{t('hosted.offerPasskeyText')}</p>
      <Failure error={accepting.error ?? declining.error} />
      <Button className="primary" isSending={accepting.isSending} onClick={accepting.run}>
        {t('hosted.passkeyCreate')}
      </Button>
      <Button isSending={declining.isSending} onClick={decline}>
        {t('hosted.notNow')}
      </Button>
    </>
  )
}

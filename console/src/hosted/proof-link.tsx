import { ApiError, type Interaction } from '@tenantry/client'
import { useTranslation } from '../translation.ts'
import { Frame } from './frame.tsx'
import { Button, Failure, Notice } from './kit.tsx'
import { send } from './send.ts'
import { useAct } from './use-form.ts'

interface ProofLinkProps {
  id: string
  token: string
  onProved: (id: string) => void
}

/** The page of a mailed link acts on a click: programs that check e-mails open links, too. */
export const ProofLink = ({ id, token, onProved }: ProofLinkProps) => {
  const { t } = useTranslation()
  const proving = useAct(async () => {
    const path = `/oauth2/interactions/${id}/proof`
    const { redirect_to: to } = await send<Interaction>('POST', path, { token })
    // An answer to the application ends the interaction.
    if (to === '') onProved(id)
    else location.replace(to)
  })
  const { error } = proving
  const isElsewhere = error instanceof ApiError && error.reason === 'interactionUnknown'
  return (
    <Frame title={t('hosted.proof')} takesFocus={false}>
      <p>{t('hosted.proofLinkText')}</p>
      {isElsewhere ? <Notice kind="bad">{t('hosted.proofElsewhere')}</Notice> : <Failure error={error} />}
      {!isElsewhere && (
        <Button className="primary" isSending={proving.isSending} onClick={proving.run}>
          {t('hosted.proofLink')}
        </Button>
      )}
    </Frame>
  )
}

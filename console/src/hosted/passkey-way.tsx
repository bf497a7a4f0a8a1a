import { useTranslation } from '../translation.ts'
import { askPasskey, canUsePasskeys } from '../session/passkey.ts'
import type { Interaction } from '@tenantry/client'
import { send } from './send.ts'
import { Button, Failure } from './kit.tsx'
import type { StepProps } from './step.ts'
import { useAct } from './use-form.ts'

const PasskeyButton = ({ ask, className = '' }: { ask: () => Promise<void>; className?: string }) => {
  const { t } = useTranslation()
  const { isSending, error, run } = useAct(ask)
  if (!canUsePasskeys()) return null
  return (
    <>
      <Failure error={error} />
      <Button className={className} isSending={isSending} onClick={run}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="8" cy="12" r="4" />
          <path d="M12 12h9v4M17 12v3" />
        </svg>
        {t('factors.passkeyUse')}
      </Button>
    </>
  )
}

/** Signs in with a passkey alone. */
export const PasskeyWay = ({ act, id }: Pick<StepProps, 'act'> & { id: string }) => {
  const ask = async (): Promise<void> => {
    const path = `/oauth2/interactions/${id}/passkey/options`
    const { passkey_options: options } = await send<Interaction>('POST', path, {})
    if (options) await act('passkey', { response: await askPasskey(options) })
  }
  return <PasskeyButton ask={ask} />
}

interface PasskeyFactorProps extends Pick<StepProps, 'act'> {
  interaction: Pick<Interaction, 'passkey_options'>
  isFirst: boolean
}

/** The second step with a passkey. */
export const PasskeyFactor = ({ interaction, act, isFirst }: PasskeyFactorProps) => {
  const { passkey_options: options } = interaction
  if (!options) return null
  const ask = async (): Promise<void> => act('factor', { passkey: await askPasskey(options) })
  return <PasskeyButton ask={ask} className={isFirst ? 'primary' : ''} />
}

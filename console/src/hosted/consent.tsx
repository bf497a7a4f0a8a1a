import { useEffect, useState } from 'react'
import { useTranslation } from '../translation.ts'
import type { Interaction } from '@tenantry/client'
import { Button, Failure, Notice } from './kit.tsx'
import { useScopeTexts } from '../shown-scopes.ts'
import type { StepProps } from './use-interaction.ts'
import { useAct } from './use-form.ts'

/** A click within this time after the page appears was meant for another page. */
const deadMs = 500

const useIsArmed = (): boolean => {
  const [isArmed, setArmed] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const arm = (): void => {
      clearTimeout(timer)
      setArmed(false)
      if (document.visibilityState === 'visible') timer = setTimeout(() => setArmed(true), deadMs)
    }
    arm()
    addEventListener('focus', arm)
    document.addEventListener('visibilitychange', arm)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', arm)
      document.removeEventListener('visibilitychange', arm)
    }
  }, [])
  return isArmed
}

type Application = Interaction['application']
type Scope = Interaction['scopes'][number]

/** True if any program of this machine could receive a redirect to the host. */
const isOnThisMachine = ({ redirect_host: host }: Application): boolean =>
  host.endsWith(':') || /^(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?$/.test(host)

const isDevice = ({ redirect_host: host }: Application): boolean => host === ''

/**
 * Whether the page asks for scopes. Third-party applications and devices need consent to scopes. The installation's own
 * applications only ask whether to continue.
 */
export const asksForScopes = ({ application }: Interaction): boolean =>
  application.is_third_party || isDevice(application)

export const Consent = ({ interaction, act }: StepProps) => {
  const { t } = useTranslation()
  const isArmed = useIsArmed()
  const allowing = useAct(() => act('consent', { allow: true }))
  const refusing = useAct(() => act('consent', { allow: false }))
  const asks = asksForScopes(interaction)
  return (
    <>
      <RequestFacts interaction={interaction} />
      {asks && <Scopes scopes={interaction.scopes} />}
      <Failure error={allowing.error ?? refusing.error} />
      <Button
        className="primary"
        disabled={!isArmed}
        isSending={allowing.isSending || refusing.isSending}
        onClick={allowing.run}
      >
        {t(asks ? 'hosted.allow' : 'hosted.next')}
      </Button>
      <Button isSending={allowing.isSending || refusing.isSending} onClick={refusing.run}>
        {t(asks ? 'hosted.refuse' : 'common.cancel')}
      </Button>
    </>
  )
}

/** Names the application, and the host that receives the redirect. */
const RequestFacts = ({ interaction }: Pick<StepProps, 'interaction'>) => {
  const { t } = useTranslation()
  const { application, source } = interaction
  const { name, redirect_host: host, is_registered: isRegistered } = application
  if (isDevice(application)) {
    return (
      <>
        <p>{t('hosted.deviceAsks', { name })}</p>
        <dl className="facts">
          <dt>{t('hosted.deviceSource')}</dt>
          <dd>{source}</dd>
        </dl>
        <Notice kind="warning">{t('hosted.deviceWarning')}</Notice>
      </>
    )
  }
  return (
    <>
      {isRegistered && <p>{t('hosted.registered', { host, name })}</p>}
      <dl className="facts">
        <dt>{t('hosted.answerTo')}</dt>
        <dd>
          <bdi>{host}</bdi>
        </dd>
      </dl>
      {isOnThisMachine(application) && <Notice kind="warning">{t('hosted.loopback')}</Notice>}
    </>
  )
}

const Scopes = ({ scopes }: { scopes: Scope[] }) => {
  const { t } = useTranslation()
  const hasOld = scopes.some(({ is_new: isNew }) => !isNew)
  if (scopes.length === 0) return <p>{t('hosted.noScopes')}</p>
  return (
    <>
      <p id="scopes">{t('hosted.scopes')}</p>
      <ul className="scopes" aria-labelledby="scopes">
        {scopes.map((scope) => (
          <ScopeLine key={scope.code} scope={scope} isMarked={hasOld && scope.is_new} />
        ))}
      </ul>
    </>
  )
}

const ScopeLine = ({ scope, isMarked }: { scope: Scope; isMarked: boolean }) => {
  const { t } = useTranslation()
  // The service describes scopes of the product.
  const { name, description = scope.description } = useScopeTexts()(scope.code) ?? scope
  return (
    <li>
      <span>
        <bdi>{name}</bdi>
        {isMarked && <mark>{t('hosted.new')}</mark>}
        {scope.is_change && <mark>{t('hosted.change')}</mark>}
      </span>
      {description !== '' && (
        <small className="dimmed">
          <bdi>{description}</bdi>
        </small>
      )}
    </li>
  )
}

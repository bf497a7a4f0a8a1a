import type { Grant, UserSession } from '@tenantry/client'
import { useDevice } from '../../components/device.ts'
import { useFormat } from '../../format.ts'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { useScopeNames } from '../../shown-scopes.ts'
import { Button, Failure } from '../kit.tsx'
import { useAct, useRead } from '../use-form.ts'
import { useAccount } from './account.ts'
import { Confirm, DialogButton, FactLine, Items, Loaded, Section } from './parts.tsx'

export const DevicesPage = () => {
  const sessions = useRead(() => client.auth.sessions())
  return (
    <>
      <Sessions sessions={sessions} />
      {/* A revoked consent ends sessions. */}
      <Applications onRevoked={sessions.retry} />
    </>
  )
}

/** The sessions of the person in all tenants. */
const Sessions = ({ sessions }: { sessions: ReturnType<typeof useRead<UserSession[]>> }) => {
  const { t } = useTranslation()
  return (
    <Section title={t('sessions.own')} hint={t('sessions.ownText')}>
      <Loaded read={sessions}>
        {(all) => (
          <>
            <Items label={t('sessions.own')} items={all} idOf={({ id }) => id}>
              {(session) => <SessionItem session={session} renew={sessions.retry} />}
            </Items>
            {all.length > 1 && <EndOthers renew={sessions.retry} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}

/**
 * The application of a session, or the person of a support session. For a browser, a note that it stays signed in to
 * applications.
 */
const usePurpose = ({ application, support, tenant_id: tenantId }: UserSession): string | undefined => {
  const { t } = useTranslation()
  if (support) return t('sessions.bySupport', { name: support.actor.name })
  if (application) return t('sessions.ofApplication', { name: application.name })
  return tenantId === '' ? t('sessions.ofBrowser') : undefined
}

const SessionItem = ({ session, renew }: { session: UserSession; renew: () => void }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const device = useDevice()(session.user_agent) ?? t('sessions.unknownDevice')
  const purpose = usePurpose(session)
  const { say } = useAccount()
  const {
    id,
    user_agent: userAgent,
    ip,
    created_at: since,
    last_used_at: used,
    is_current: isCurrent,
  } = session
  const ending = useAct(async () => {
    // Also after a failure: a session that ended meanwhile must leave the list.
    await client.auth.endSession(id).finally(renew)
    say(t('sessions.ended'))
  })
  return (
    <>
      <div>
        <b title={userAgent}>{device}</b>
        {isCurrent && <mark>{t('sessions.current')}</mark>}
        {session.support && <mark>{t('sessions.support')}</mark>}
        {purpose !== undefined && <p>{purpose}</p>}
        <FactLine facts={[ip, t('sessions.used', { ago: format.ago(used) })]} />
        <p className="dimmed">{t('sessions.since', { moment: format.moment(since) })}</p>
        <Failure error={ending.error} />
      </div>
      {!isCurrent && (
        <Button
          isSending={ending.isSending}
          aria-label={t('sessions.endOf', { device })}
          onClick={ending.run}
        >
          {t('sessions.end')}
        </Button>
      )}
    </>
  )
}

const EndOthers = ({ renew }: { renew: () => void }) => {
  const { t } = useTranslation()
  const { say } = useAccount()
  return (
    <DialogButton label={t('sessions.endOthers')} title={t('sessions.endOthersTitle')}>
      {(close) => (
        <Confirm
          text={t('sessions.endOthersText')}
          confirm={t('sessions.endOthers')}
          act={async () => {
            await client.auth.endOtherSessions()
            close()
            say(t('sessions.othersEnded'))
            renew()
          }}
        />
      )}
    </DialogButton>
  )
}

/** Third-party applications that act in the person's name. */
const Applications = ({ onRevoked }: { onRevoked: () => void }) => {
  const { t } = useTranslation()
  const grants = useRead(() => client.auth.grants())
  const renew = (): void => {
    grants.retry()
    onRevoked()
  }
  return (
    <Section title={t('grants.own')} hint={t('grants.ownText')}>
      <Loaded read={grants}>
        {(all) =>
          all.length === 0 ? (
            <p>{t('grants.ownNone')}</p>
          ) : (
            <Items label={t('grants.own')} items={all} idOf={({ id }) => id}>
              {(grant) => <GrantItem grant={grant} renew={renew} />}
            </Items>
          )
        }
      </Loaded>
    </Section>
  )
}

const GrantItem = ({ grant, renew }: { grant: Grant; renew: () => void }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { say } = useAccount()
  const namesOf = useScopeNames()
  const { id, application, scopes, resource, created_at: since, last_used_at: usedAt } = grant
  const { name } = application
  return (
    <>
      <div>
        <b>
          <bdi>{name}</bdi>
        </b>
        <FactLine facts={[application.host, namesOf(scopes), resource]} />
        <FactLine
          facts={[
            t('grants.since', { moment: format.moment(since) }),
            usedAt !== '' && t('grants.usedAt', { moment: format.moment(usedAt) }),
          ]}
        />
      </div>
      <DialogButton
        label={t('grants.revoke')}
        name={t('grants.revokeOne', { name })}
        title={t('grants.revokeTitle', { name })}
      >
        {(close) => (
          <Confirm
            text={t('grants.revokeText')}
            confirm={t('grants.revoke')}
            act={async () => {
              await client.auth.revokeGrant(id)
              close()
              say(t('grants.revoked', { name }))
              renew()
            }}
          />
        )}
      </DialogButton>
    </>
  )
}

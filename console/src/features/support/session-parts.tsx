/** The facts of a support session, and what the caller can do about it. */
import { Button, Group, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { SupportSession } from '@tenantry/client'
import { MomentAndAgo } from '../../components/ago.tsx'
import { ConfirmButton } from '../../components/confirm-change.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFactorRefusal } from '../../components/factor-refusal.tsx'
import { Fact, Facts } from '../../components/facts.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useFormat } from '../../format.ts'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { enterSupport } from '../../session/support.ts'
import { tenantQuery } from '../../shell/tenants.ts'
import { useTranslation } from '../../translation.ts'
import { OpenProducts } from './open-product.tsx'
import { Permissions } from './support-parts.tsx'
import { useRenew } from '../../components/use-renew.ts'

interface SessionProps {
  session: SupportSession
}

export type Side = 'actor' | 'user' | 'other'

/** The part of the caller in a support session. Users of other tenants have other ids. */
export const useSides = (): ((session: SupportSession) => Side) => {
  const { user: me } = useMe()
  return ({ actor, user }) => {
    if (actor.id === me.id) return 'actor'
    return user.id === me.id ? 'user' : 'other'
  }
}

const none = { mayDecide: false, mayStart: false, mayEnd: false, needsFactor: false }

const useRights = (session: SupportSession) => {
  const { tenant, can } = useMe()
  const side = useSides()(session)
  const isMine = side === 'actor'
  const mayAllow = side === 'user' || can('support:allow')
  if (session.status === 'waiting') {
    const mayDecide = !isMine && mayAllow && session.tenant_id === tenant.id
    return { isMine, mayDecide, mayStart: false, mayEnd: isMine, needsFactor: side === 'other' }
  }
  const isOpen = session.status === 'ready' || session.status === 'active'
  return isOpen
    ? { isMine, mayDecide: false, mayStart: isMine, mayEnd: isMine || mayAllow, needsFactor: isMine }
    : { isMine, ...none }
}

interface StepsProps extends SessionProps {
  mayDecide: boolean
  mayStart: boolean
}

const Steps = ({ session, mayDecide, mayStart }: StepsProps) => (
  <>
    {mayDecide && <Decide session={session} />}
    {mayStart && <Start session={session} />}
  </>
)

/** Buttons for what the caller can do, or the refusal. Nothing for a session that is over. */
export const SessionActions = ({ session }: SessionProps) => {
  const { isMine, mayDecide, mayStart, mayEnd, needsFactor } = useRights(session)
  const refusal = useFactorRefusal({ isNeeded: needsFactor })
  if (!mayDecide && !mayStart && !mayEnd) return null
  return (
    <Stack mt="lg">
      {refusal}
      <Group>
        {refusal === undefined && <Steps session={session} {...{ mayDecide, mayStart }} />}
        {mayEnd && <End session={session} isMine={isMine} />}
      </Group>
    </Stack>
  )
}

/** The name of the tenant of a session elsewhere, for those who may read it. */
const TenantFact = ({ session: { tenant_id: id } }: SessionProps) => {
  const { t } = useTranslation()
  const { tenant, can } = useMe()
  const isElsewhere = id !== tenant.id && can('tenant:read')
  const { data } = useQuery({ ...tenantQuery(id), enabled: isElsewhere })
  return isElsewhere && <Fact label={t('fields.tenant')}>{data?.name ?? '…'}</Fact>
}

/** The end of a session, or the minutes of one that has not begun. */
const EndFact = ({ session: { status, minutes, ends_at: end, ended_by: by } }: SessionProps) => {
  const { t } = useTranslation()
  const format = useFormat()
  if (status === 'over' && by !== '') return <Fact label={t('support.ended')}>{t(`supportEnds.${by}`)}</Fact>
  return end === '' ? (
    <Fact label={t('support.time')}>{t('support.minutesLong', { count: minutes })}</Fact>
  ) : (
    <Fact label={t('support.ends')}>{format.timeOrMoment(end)}</Fact>
  )
}

/** Until a session starts, its expiry counts. */
const RequestFacts = ({ session: { created_at, expires_at, status } }: SessionProps) => {
  const { t } = useTranslation()
  return (
    <>
      <Fact label={t('support.asked')}>
        <MomentAndAgo at={created_at} />
      </Fact>
      {(status === 'waiting' || status === 'ready') && (
        <Fact label={t('support.expires')}>
          <MomentAndAgo at={expires_at} />
        </Fact>
      )}
    </>
  )
}

export const SessionFacts = ({ session }: SessionProps) => {
  const { t } = useTranslation()
  const { kind, reason, permissions, status, decided_by: decider } = session
  return (
    <Facts cols={{ base: 1, xs: 2, md: 3 }}>
      <Fact label={t('support.reason')} isWide>
        {reason}
      </Fact>
      <Fact label={t('support.kind')}>{t(`supportKinds.${kind}`)}</Fact>
      <EndFact session={session} />
      <RequestFacts session={session} />
      <TenantFact session={session} />
      {decider && (
        <Fact label={t(status === 'refused' ? 'support.refusedBy' : 'support.allowedBy')}>
          {decider.name}
        </Fact>
      )}
      <Fact label={t('support.permissions')} isWide>
        <Permissions codes={permissions} />
      </Fact>
    </Facts>
  )
}

const Decide = ({ session }: SessionProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenew()
  const deciding = useMutation({
    mutationFn: (allow: boolean) => client.support.decide(session.id, { allow }),
    onSuccess: (_, allow) => notify(t(allow ? 'support.allowed' : 'support.refused')),
    onSettled: renew,
  })
  const isSending = (allow: boolean): boolean => deciding.isPending && deciding.variables === allow
  return (
    <>
      <Button loading={isSending(true)} disabled={deciding.isPending} onClick={() => deciding.mutate(true)}>
        {t('support.allow')}
      </Button>
      <Button
        variant="default"
        loading={isSending(false)}
        disabled={deciding.isPending}
        onClick={() => deciding.mutate(false)}
      >
        {t('support.refuse')}
      </Button>
      {deciding.error && <ErrorPanel error={deciding.error} />}
    </>
  )
}

/** Replaces this tab's page by the user's, until the end. */
const Start = ({ session }: SessionProps) => {
  const { t } = useTranslation()
  const renew = useRenew()
  const starting = useMutation({
    mutationFn: async () => enterSupport(session, await client.support.issueToken(session.id)),
    onError: renew,
  })
  return (
    <>
      <Button loading={starting.isPending} onClick={() => starting.mutate()}>
        {t(session.status === 'ready' ? 'support.start' : 'support.continue')}
      </Button>
      {session.status === 'active' && <OpenProducts session={session} />}
      {starting.error && <ErrorPanel error={starting.error} />}
    </>
  )
}

const End = ({ session, isMine }: SessionProps & { isMine: boolean }) => {
  const { t } = useTranslation()
  const isQuestion = isMine && session.status !== 'active'
  return (
    <ConfirmButton
      title={t(isQuestion ? 'support.withdrawTitle' : 'support.endTitle')}
      confirm={t(isQuestion ? 'support.withdraw' : 'support.end')}
      send={() => client.support.end(session.id)}
      done={t(isQuestion ? 'support.withdrawn' : 'support.isOver')}
    >
      {t(isMine ? 'support.endTextMine' : 'support.endText')}
    </ConfirmButton>
  )
}

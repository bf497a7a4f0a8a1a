import { Alert, Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { IconFlame } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Approval } from '@tenantry/client'
import { useState, type ReactNode } from 'react'
import { Ago, MomentAndAgo } from '../../components/ago.tsx'
import { ConfirmButton } from '../../components/confirm-change.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { useFactorRefusal } from '../../components/factor-refusal.tsx'
import { Fact, Facts } from '../../components/facts.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { ResourcePage } from '../../components/resource-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { RecordChanges } from '../audit/changes.views.tsx'
import { ResourceLink } from '../audit/resource-link.views.tsx'
import { CallerLink } from '../service-accounts/service-accounts.views.tsx'
import { ApprovalBadge, Codes, DecisionBadge } from './approval-parts.tsx'
import { useChangeName, useRecordText, type ChangedRecord } from './change-name.ts'
import { hasSecrets, isWaiting, useApproval, useIsOwn } from './approvals.queries.ts'

const DecideDialog = lazyPart(async () => (await import('./decide-dialog.tsx')).DecideDialog)
const CarryOutDialog = lazyPart(async () => (await import('./carry-out.tsx')).CarryOutDialog)

const route = getRouteApi('/shell/approvals/$approvalId')

/** A change that waits for approval, with all that those who decide need to know. */
export const ApprovalPage = () => {
  const approval = useApproval(Number(route.useParams().approvalId))
  return (
    <ResourcePage of="/approvals" query={approval} height={320}>
      {(data) => <Details approval={data} />}
    </ResourcePage>
  )
}

interface ApprovalProps {
  approval: Approval
}

const Details = ({ approval }: ApprovalProps) => {
  const nameOf = useChangeName()
  return (
    <>
      <PageHeader
        title={nameOf(approval)}
        marks={<ApprovalBadge status={approval.status} />}
        actions={
          <>
            <Cancel approval={approval} />
            <Decide approval={approval} />
            <CarryOut approval={approval} />
          </>
        }
      />
      <Stack gap="lg">
        <Notes approval={approval} />
        <Request approval={approval} />
        <Change approval={approval} />
        <Decisions approval={approval} />
      </Stack>
    </>
  )
}

/** For own users of the tenant who did not ask and have not decided. The service knows whom the change concerns. */
const Decide = ({ approval }: ApprovalProps) => {
  const { t } = useTranslation()
  const { user, can } = useMe()
  const { isOwn: isHome } = useScope()
  const isOwn = useIsOwn()
  const { status, decisions } = approval
  const isDecided = decisions.some((one) => one.user.id === user.id)
  if (status !== 'pending' || isDecided || isOwn(approval) || !isHome || !can('approval:decide')) return null
  return (
    <>
      <DialogButton variant="default" label={t('approvals.reject')}>
        {(onClose) => <DecideDialog approve={false} {...{ approval, onClose }} />}
      </DialogButton>
      <DialogButton label={t('approvals.approve')}>
        {(onClose) => <DecideDialog approve {...{ approval, onClose }} />}
      </DialogButton>
    </>
  )
}

const Cancel = ({ approval }: ApprovalProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const { can } = useMe()
  const isOwn = useIsOwn()
  const refusal = useFactorRefusal()
  if (!isWaiting(approval) || !(isOwn(approval) || can('approval:manage'))) return null
  return (
    <ConfirmButton
      title={t('approvals.cancelTitle')}
      confirm={t('approvals.cancel')}
      refusal={refusal}
      send={() => api.approvals.cancel(approval.id)}
      done={t('approvals.cancelled')}
    >
      {t('approvals.cancelText')}
    </ConfirmButton>
  )
}

/** The window stays when the change is done, because it can show a secret. */
const CarryOut = ({ approval }: ApprovalProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const isOwn = useIsOwn()
  const [isOpen, setOpen] = useState(false)
  const isReady = approval.status === 'approved' && isOwn(approval) && !hasSecrets(approval.body)
  return (
    <>
      {isReady && <Button onClick={() => setOpen(true)}>{t('approvals.carryOut')}</Button>}
      {isOpen && <CarryOutDialog {...{ api, approval }} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The lists whose forms make something new. */
const lists = {
  application: '/applications',
  connection: '/connections',
  provider: '/providers',
  service_account_key: '/service-accounts',
  user: '/users',
  webhook: '/webhooks',
} as const

const isListed = (resource: string): resource is keyof typeof lists => Object.hasOwn(lists, resource)

/** Leads to the form whose secrets the request does not keep. */
const Again = ({ approval: { change } }: ApprovalProps) => {
  const { t } = useTranslation()
  const [resource = ''] = change.records[0]?.action.split('.') ?? []
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">{t('approvals.hasSecrets')}</Text>
      {isListed(resource) && (
        <Button
          size="xs"
          variant="default"
          renderRoot={(props: object) => <Link to={lists[resource]} {...props} />}
        >
          {t('approvals.toForm')}
        </Button>
      )}
    </Stack>
  )
}

const Notes = ({ approval }: ApprovalProps) => {
  const { t } = useTranslation()
  const isOwn = useIsOwn()
  const isReady = approval.status === 'approved' && isOwn(approval)
  return (
    <>
      {approval.break_glass && (
        <Alert color="orange" icon={<IconFlame />} title={t('approvals.brokenGlass')}>
          {t('approvals.brokenGlassText')}
        </Alert>
      )}
      {isReady && (
        <Alert color="teal" title={t('approvals.isReady')}>
          {hasSecrets(approval.body) ? <Again approval={approval} /> : t('approvals.isReadyText')}
        </Alert>
      )}
    </>
  )
}

const Request = ({ approval }: ApprovalProps) => {
  const { t } = useTranslation()
  const { requested_by: by, reason, method, path, created_at, expires_at, approvals, body } = approval
  return (
    <SectionCard title={t('approvals.request')}>
      <Facts cols={{ base: 1, sm: 2 }}>
        <Fact label={t('approvals.reason')} isWide>
          {reason}
        </Fact>
        <Fact label={t('approvals.askedBy')}>
          <bdi>{by.name}</bdi>
        </Fact>
        <Fact label={t('approvals.needed')}>{t('approvals.people', { count: approvals })}</Fact>
        <Fact label={t('approvals.asked')}>
          <MomentAndAgo at={created_at} />
        </Fact>
        <Fact label={t('approvals.expires')}>
          <MomentAndAgo at={expires_at} />
        </Fact>
        <Fact label={t('approvals.call')} isWide>
          <Code>
            {method} {path}
          </Code>
        </Fact>
      </Facts>
      {body !== null && body !== undefined && <JsonView value={body} label={t('approvals.body')} />}
    </SectionCard>
  )
}

const Change = ({ approval: { change, status } }: ApprovalProps) => {
  const { t } = useTranslation()
  const textOf = useRecordText()
  const { records, gives, takes } = change
  return (
    <SectionCard title={t('approvals.change')} hint={t('approvals.changeHint')}>
      <Stack gap="lg">
        {gives.length > 0 && (
          <Labelled label={t('approvals.gives')}>
            <Codes codes={gives} kind="gives" />
          </Labelled>
        )}
        {takes.length > 0 && (
          <Labelled label={t('approvals.takes')}>
            <Codes codes={takes} kind="takes" />
          </Labelled>
        )}
        {records.map((record) => (
          <Stack key={JSON.stringify(record)} gap="xs">
            {records.length > 1 && (
              <Title order={3} size="h5" className="breakable">
                {textOf(record, status)}
              </Title>
            )}
            <Changed record={record} />
          </Stack>
        ))}
      </Stack>
    </SectionCard>
  )
}

const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <Stack gap={6}>
    <Text size="sm" c="dimmed">
      {label}
    </Text>
    {children}
  </Stack>
)

const Changed = ({ record }: { record: ChangedRecord }) => {
  const { t } = useTranslation()
  const { action, resource_id: id, about_user_id: about } = record
  const [resource = ''] = action.split('.')
  const isAboutUser = about !== null && (resource === 'user' || String(about) === id)
  return (
    <>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {t('approvals.concerns')}
        </Text>
        {about !== null && <CallerLink id={about} />}
        {id !== 'new' && !isAboutUser && <ResourceLink record={{ ...record, resource }} />}
      </Group>
      <RecordChanges record={record} />
    </>
  )
}

const Decisions = ({ approval: { decisions, approvals } }: ApprovalProps) => {
  const { t } = useTranslation()
  return (
    <SectionCard title={t('approvals.decisions')}>
      {decisions.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('approvals.noDecisions', { count: approvals })}
        </Text>
      )}
      <Stack gap="sm">
        {decisions.map(({ user, approve, comment, at }) => (
          <Group key={user.id} gap="sm" align="flex-start">
            <DecisionBadge approve={approve} />
            <Stack gap={0} flex={1} miw={0}>
              <Text size="sm" className="breakable">
                <bdi>{user.name}</bdi>
              </Text>
              {comment !== '' && (
                <Text size="sm" className="breakable">
                  {comment}
                </Text>
              )}
            </Stack>
            <Ago at={at} c="dimmed" />
          </Group>
        ))}
      </Stack>
    </SectionCard>
  )
}

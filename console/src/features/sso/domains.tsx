import { Button, Code, Divider, Group, List, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconClock } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Connection, Domain, LookedAtDomain } from '@tenantry/client'
import { Fragment, useState } from 'react'
import { AgoOrNever } from '../../components/ago.tsx'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { CopyLine } from '../../components/copy-line.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { Signed } from '../../components/status-badge.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { AddDomain } from './add-domain.tsx'
import { useRenewSso } from './sso.queries.ts'

interface DomainsProps {
  domains: Domain[]
  connections: Connection[]
  canChange: boolean
}

export const Domains = ({ domains, connections, canChange }: DomainsProps) => {
  const { t } = useTranslation()
  return (
    <SectionCard title={t('domains.title')} hint={t('domains.about')}>
      <Stack>
        {domains.length === 0 && <Text size="sm">{t('domains.none')}</Text>}
        {domains.map((domain, at) => (
          <Fragment key={domain.id}>
            {at > 0 && <Divider />}
            <OneDomain
              domain={domain}
              leadsTo={connections.find((one) => one.domains.includes(domain.domain))}
              canChange={canChange}
            />
          </Fragment>
        ))}
        {canChange && (
          <>
            {domains.length > 0 && <Divider />}
            <AddDomain />
          </>
        )}
      </Stack>
    </SectionCard>
  )
}

const looks = {
  pending: { sign: IconClock, className: '' },
  verified: { sign: IconCheck, className: 'status-on' },
  lapsed: { sign: IconAlertTriangle, className: 'status-bad' },
}

interface OneDomainProps {
  domain: Domain
  leadsTo: Connection | undefined
  canChange: boolean
}

const OneDomain = ({ domain, leadsTo, canChange }: OneDomainProps) => {
  const { t } = useTranslation()
  const { status } = domain
  const [isShown, setShown] = useState(false)
  const isProved = status === 'verified'
  return (
    <Stack gap="sm" component="article" aria-label={domain.domain}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm" miw={0}>
          <Title order={3} size="h5" className="breakable">
            {domain.domain}
          </Title>
          <Signed {...looks[status]} text={t(`domains.${status}`)} />
        </Group>
        <Group gap="xs">
          {isProved && <ShowRecord isShown={isShown} onClick={() => setShown((before) => !before)} />}
          {canChange && <DeleteDomain domain={domain} leadsTo={leadsTo} />}
        </Group>
      </Group>
      {isProved && <LeadsTo connection={leadsTo} />}
      {status === 'lapsed' && <Text size="sm">{t('domains.lapsedText')}</Text>}
      {(!isProved || isShown) && <Proof domain={domain} canChange={canChange} />}
    </Stack>
  )
}

const ShowRecord = ({ isShown, onClick }: { isShown: boolean; onClick: () => void }) => {
  const { t } = useTranslation()
  return (
    <Button size="xs" variant="subtle" aria-expanded={isShown} onClick={onClick}>
      {t(isShown ? 'domains.hideRecord' : 'domains.showRecord')}
    </Button>
  )
}

const LeadsTo = ({ connection }: { connection: Connection | undefined }) => {
  const { t } = useTranslation()
  return (
    <Text size="sm" c="dimmed">
      {connection ? t('domains.leadsTo', { name: connection.name }) : t('domains.leadsNowhere')}
    </Text>
  )
}

const Proof = ({ domain, canChange }: Pick<OneDomainProps, 'domain' | 'canChange'>) => {
  const { t } = useTranslation()
  const { domain: name, record_name: record, record_value: value } = domain
  return (
    <Stack gap="sm">
      <List type="ordered" size="sm" spacing={4}>
        <List.Item>{t('domains.stepOpen', { domain: name })}</List.Item>
        <List.Item>{t('domains.stepRecord')}</List.Item>
        <List.Item>{t('domains.stepLook')}</List.Item>
      </List>
      <CopyLine label={t('domains.recordName')} text={record} copy={t('domains.copyName')} />
      <Text size="xs" c="dimmed">
        {t('domains.nameHint', { short: record.slice(0, record.indexOf('.')), domain: name })}
      </Text>
      <CopyLine label={t('domains.recordValue')} text={value} copy={t('domains.copyValue')} />
      {canChange && <Look domain={domain} />}
    </Stack>
  )
}

const Look = ({ domain }: { domain: Domain }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewSso()
  const looking = useMutation({
    mutationFn: () => api.sso.verifyDomain(domain.id),
    onSuccess: async ({ status }) => {
      if (status === 'verified') notify(t('domains.isVerified', { domain: domain.domain }))
      await renew()
    },
  })
  const { data: seen } = looking
  return (
    <Stack gap="xs">
      {looking.error && <ErrorPanel error={looking.error} />}
      <Group gap="sm">
        <Button size="xs" loading={looking.isPending} onClick={() => looking.mutate()}>
          {t('domains.look')}
        </Button>
        <Group gap={4}>
          <Text size="sm" c="dimmed">
            {t('domains.looked')}
          </Text>
          <AgoOrNever at={domain.checked_at} />
        </Group>
      </Group>
      <Stack gap={4} role="status">
        {seen && seen.status !== 'verified' && <CheckResult domain={seen} />}
      </Stack>
    </Stack>
  )
}

/** Explains why a check did not find the record. */
const CheckResult = ({ domain: { found, record_name: record } }: { domain: LookedAtDomain }) => {
  const { t } = useTranslation()
  const text = found
    ? t(found.length > 0 ? 'domains.others' : 'domains.missing', { record })
    : t('domains.unanswered')
  return (
    <>
      <Text size="sm" className="breakable">
        {text}
      </Text>
      {[...new Set(found)].map((one) => (
        <Code key={one} className="whole">
          {one}
        </Code>
      ))}
    </>
  )
}

const DeleteDomain = ({ domain, leadsTo }: Omit<OneDomainProps, 'canChange'>) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewSso()
  const [isAsked, setAsked] = useState(false)
  const deleting = useMutation({
    mutationFn: () => api.sso.deleteDomain(domain.id),
    onSuccess: async () => {
      setAsked(false)
      notify(t('domains.deleted', { domain: domain.domain }))
      await renew()
    },
  })
  return (
    <>
      <Button
        size="xs"
        color="red"
        variant="light"
        aria-label={t('domains.deleteThis', { domain: domain.domain })}
        onClick={() => setAsked(true)}
      >
        {t('domains.delete')}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('domains.deleteOne', { domain: domain.domain })}
        confirm={t('domains.delete')}
        {...mutationProps(deleting)}
      >
        {leadsTo ? t('domains.deleteLeading', { name: leadsTo.name }) : t('domains.deleteText')}
      </ConfirmModal>
    </>
  )
}

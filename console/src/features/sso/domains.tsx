import { Alert, Button, Code, Divider, Group, List, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconClock } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Connection, Domain, LookedAtDomain } from '@tenantry/client'
import { Fragment, useState } from 'react'
import { useForm } from '@mantine/form'
import { AgoOrNever } from '../../components/ago.tsx'
import { ConfirmButton } from '../../components/confirm-change.tsx'
import { CopyLine } from '../../components/copy-text.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { Signed } from '../../components/status-badge.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { domainOf } from './domain-name.ts'
import { useRenew } from '../../components/use-renew.ts'

interface DomainsProps {
  domains: Domain[]
  connections: Connection[]
  canChange: boolean
  /** False for a guest, who deletes only what nobody has proved. */
  mayDeleteProved?: boolean
}

export const Domains = (props: DomainsProps) => {
  const { t } = useTranslation()
  return (
    <SectionCard title={t('domains.title')} hint={t('domains.about')}>
      <DomainList {...props} />
    </SectionCard>
  )
}

export const DomainList = ({ domains, connections, canChange, mayDeleteProved = true }: DomainsProps) => {
  const { t } = useTranslation()
  return (
    <Stack>
      {domains.length === 0 && <Text size="sm">{t('domains.none')}</Text>}
      {domains.map((domain, at) => (
        <Fragment key={domain.id}>
          {at > 0 && <Divider />}
          <OneDomain
            domain={domain}
            leadsTo={connections.find((one) => one.domains.includes(domain.domain))}
            canChange={canChange}
            canDelete={canChange && (mayDeleteProved || domain.status === 'pending')}
          />
        </Fragment>
      ))}
      {canChange && (
        <>
          {domains.length > 0 && <Divider />}
          <AddDomain isFirst={domains.length === 0} />
        </>
      )}
    </Stack>
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
  canDelete: boolean
}

const OneDomain = ({ domain, leadsTo, canChange, canDelete }: OneDomainProps) => {
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
          {canDelete && <DeleteDomain domain={domain} leadsTo={leadsTo} />}
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
  const renew = useRenew()
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
      <div role="status">{seen && seen.status !== 'verified' && <CheckResult domain={seen} />}</div>
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
    <Alert color="yellow" icon={<IconAlertTriangle />} title={t('domains.notYet')}>
      <Stack gap={4}>
        <Text size="sm" className="breakable">
          {text}
        </Text>
        {[...new Set(found)].map((one) => (
          <Code key={one} className="whole">
            {one}
          </Code>
        ))}
      </Stack>
    </Alert>
  )
}

const DeleteDomain = ({ domain: { id, domain }, leadsTo }: Pick<OneDomainProps, 'domain' | 'leadsTo'>) => {
  const { t } = useTranslation()
  const { api } = useScope()
  return (
    <ConfirmButton
      isDeletion
      size="xs"
      label={t('domains.deleteThis', { domain })}
      title={t('domains.deleteOne', { domain })}
      confirm={t('domains.delete')}
      send={() => api.sso.deleteDomain(id)}
      done={t('domains.deleted', { domain })}
    >
      {leadsTo ? t('domains.deleteLeading', { name: leadsTo.name }) : t('domains.deleteText')}
    </ConfirmButton>
  )
}

const AddDomain = ({ isFirst }: { isFirst: boolean }) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const renew = useRenew()
  const form = useForm({
    initialValues: { domain: '' },
    validate: { domain: (text) => (/\S\.\S/.test(domainOf(text)) ? null : t('domains.wrong')) },
  })
  const { onSubmit, isSending, error } = useSubmit(form, async ({ domain }) => {
    await api.sso.createDomain({ domain: domainOf(domain) })
    form.reset()
    await renew()
  })
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="sm">
        {error !== undefined && <ErrorPanel error={error} />}
        <Group gap="sm" align="flex-end">
          <TextInput
            label={t('domains.add')}
            description={t('domains.addHint')}
            placeholder="example.com"
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            flex={1}
            miw={200}
            maw={420}
            {...form.getInputProps('domain')}
          />
          <Button type="submit" variant={isFirst ? 'filled' : 'default'} loading={isSending}>
            {t('domains.add')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

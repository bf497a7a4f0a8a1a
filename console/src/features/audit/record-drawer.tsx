import { Button, Drawer, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { headless } from '../../components/dialog.tsx'
import { useAgo } from '../../components/ago.tsx'
import { Copying, CopyText } from '../../components/copy-text.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FactRow, FactTable } from '../../components/facts.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useFormat } from '../../format.ts'
import { loadPage } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import { useDevice } from '../../components/device.ts'
import { useLackingFor, useWebhooks } from '../webhooks/webhooks.queries.ts'
import { type NamedLog, useActors } from './actors.texts.ts'
import { useAuditTexts } from './audit.texts.ts'
import { differencesOf } from './differences.ts'
import { sentenceOf } from './record-lines.views.tsx'
import { useRecord } from './records.queries.ts'
import { ResourceLink } from './resource-link.views.tsx'

// Lazy, because most visits of the list open no record.
const DifferencesTable = lazyPart(
  async () => (await import('./differences-table.tsx')).DifferencesTable,
  <Skeleton height={120} />,
)

const loadWebhooks = loadPage(['audit', 'developers'], () => import('../webhooks/replay-webhook.views.tsx'))
const ReplayDialog = lazyPart(async () => (await loadWebhooks()).ReplayDialog)

interface RecordDrawerProps {
  id: number | undefined
  /** The ids of the list, newest first. */
  listed: number[]
  onOpen: (id: number) => void
  onClose: () => void
}

/** Keeps the last id, so that the drawer shows the record until the drawer has closed. */
const useLast = (id: number | undefined): number | undefined => {
  const [last, setLast] = useState(id)
  if (id !== undefined && id !== last) setLast(id)
  return id ?? last
}

/** The webhooks that the caller may replay from a record. */
const useReplayable = () => {
  const lackingFor = useLackingFor()
  const { data = [] } = useWebhooks()
  return data.filter((webhook) => lackingFor(webhook).length === 0)
}

/** One record with all its fields, also if the list shows another page. */
export const RecordDrawer = ({ id, listed, onOpen, onClose }: RecordDrawerProps) => {
  const { t } = useTranslation()
  const shownId = useLast(id)
  const { data, error, refetch } = useRecord(shownId)
  const webhooks = useReplayable()
  const [isReplaying, setReplaying] = useState(false)
  return (
    <>
      <Drawer
        opened={id !== undefined}
        onClose={onClose}
        // Escape closes only the window above.
        closeOnEscape={!isReplaying}
        position="right"
        size="lg"
        attributes={headless}
        title={t('auditLog.record', { id: shownId })}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {shownId !== undefined && <OtherRecords id={shownId} listed={listed} onOpen={onOpen} />}
        {data ? (
          <Record record={data} onReplay={webhooks.length > 0 ? () => setReplaying(true) : undefined} />
        ) : error ? (
          <ErrorPanel error={error} onRetry={() => void refetch()} />
        ) : (
          <Waiting />
        )}
      </Drawer>
      {data && isReplaying && (
        <ReplayDialog
          webhooks={webhooks}
          record={{ id: data.id, event: data.action }}
          onClose={() => setReplaying(false)}
        />
      )}
    </>
  )
}

interface OtherRecordsProps extends Pick<RecordDrawerProps, 'listed' | 'onOpen'> {
  id: number
}

/** Opens the previous or next record of the list. */
const OtherRecords = ({ id, listed, onOpen }: OtherRecordsProps) => {
  const { t } = useTranslation()
  const at = listed.indexOf(id)
  if (at < 0 || listed.length < 2) return null
  const buttonTo = (other: number | undefined, text: string) => (
    <Button
      size="xs"
      variant="default"
      disabled={other === undefined}
      onClick={() => other !== undefined && onOpen(other)}
    >
      {text}
    </Button>
  )
  return (
    <Group gap="xs" mb="md">
      {buttonTo(listed[at - 1], t('auditLog.newer'))}
      {buttonTo(listed[at + 1], t('auditLog.older'))}
    </Group>
  )
}

const Waiting = () => (
  <Stack gap="lg">
    <Skeleton height={30} width="50%" />
    <Skeleton height={200} />
    <Skeleton height={120} />
  </Stack>
)

interface RecordProps {
  record: NamedLog
  /** Undefined if the caller has no webhook to replay from here. */
  onReplay: (() => void) | undefined
}

const Record = ({ record, onReplay }: RecordProps) => {
  const { t } = useTranslation()
  const { ofRecord } = useAuditTexts()
  const differences = differencesOf(record)
  const { changes, rest } = differences
  const isMore = Object.keys(rest).length > 0
  return (
    <Stack gap="lg">
      <Title order={2} size="h3" className="breakable">
        {sentenceOf(ofRecord(record))}
      </Title>
      <Facts record={record} />
      <Stack gap="xs">
        <Title order={3} size="h5">
          {t('auditLog.changes')}
        </Title>
        {changes.length > 0 && <DifferencesTable {...differences} />}
        {isMore && <JsonView value={rest} label={t('auditLog.other')} />}
        {changes.length === 0 && !isMore && (
          <Text size="sm" c="dimmed">
            {t('auditLog.noChange')}
          </Text>
        )}
      </Stack>
      <Raw record={record} />
      {onReplay && (
        <Button variant="default" size="xs" style={{ alignSelf: 'flex-start' }} onClick={onReplay}>
          {t('auditLog.replay')}
        </Button>
      )}
    </Stack>
  )
}

const Raw = ({ record: { present: _present, ...record } }: { record: NamedLog }) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <Stack gap="xs" align="stretch">
      <Group gap="xs">
        <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('auditLog.raw')}
        </Button>
        {isOpen && (
          <Copying text={JSON.stringify(record, undefined, 2)}>
            {({ copied, copy }) => (
              <Button size="xs" variant="subtle" onClick={copy}>
                {t(copied ? 'common.copied' : 'auditLog.copyRaw')}
              </Button>
            )}
          </Copying>
        )}
      </Group>
      {isOpen && <JsonView value={record} label={t('auditLog.raw')} />}
    </Stack>
  )
}

/** Links to all records of the caller, and to the page of a service account. */
const Actor = ({ record }: { record: NamedLog }) => {
  const { t } = useTranslation()
  const { nameOf, noteOf } = useActors()
  const { user_id: id, actor } = record
  return (
    <Group gap="xs">
      <TextLink to="/audit" search={{ user_id: id }} size="sm">
        {nameOf(record)}
      </TextLink>
      {actor?.kind === 'service_account' ? (
        <TextLink to="/service-accounts/$accountId" params={{ accountId: String(id) }} size="sm">
          {t('places.openServiceAccount')}
        </TextLink>
      ) : (
        <Text size="sm" c="dimmed">
          {noteOf(record)}
        </Text>
      )}
    </Group>
  )
}

const Facts = ({ record }: { record: NamedLog }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { created_at, action, ip, user_agent, trace_id } = record
  return (
    <FactTable>
      <FactRow label={t('auditLog.when')}>
        {format.momentExact(created_at)} ({useAgo(created_at)})
      </FactRow>
      <FactRow label={t('auditLog.who')}>
        <Actor record={record} />
      </FactRow>
      <FactRow label={t('auditLog.action')}>
        <TextLink to="/audit" search={{ action }} size="sm">
          {action}
        </TextLink>
      </FactRow>
      <FactRow label={t('auditLog.resource')}>
        <Group gap="xs">
          <ResourceLink record={record} />
          <TextLink
            to="/audit"
            search={{ resource: record.resource, resource_id: record.resource_id }}
            size="sm"
          >
            {t('auditLog.allOfIt')}
          </TextLink>
        </Group>
      </FactRow>
      <FactRow label={t('auditLog.ip')}>
        {ip === '' ? (
          '–'
        ) : (
          <TextLink to="/audit" search={{ ip }} size="sm" title={t('auditLog.allFromIp')}>
            {ip}
          </TextLink>
        )}
      </FactRow>
      <FactRow label={t('auditLog.userAgent')}>
        <Browser userAgent={user_agent} />
      </FactRow>
      <FactRow label={t('common.traceId')}>
        <CopyText text={trace_id} label={t('common.copyTraceId')} />
      </FactRow>
    </FactTable>
  )
}

/** The names of browser and system, above the text of the header. */
const Browser = ({ userAgent }: { userAgent: string }) => {
  const name = useDevice()(userAgent)
  return (
    <>
      {name && <Text size="sm">{name}</Text>}
      <Text size={name ? 'xs' : 'sm'} className="whole" {...(name ? { c: 'dimmed' } : {})}>
        {userAgent || '–'}
      </Text>
    </>
  )
}

import { Stack, Text, VisuallyHidden } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { Ago } from '../../components/ago.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import type { Column } from '../../components/table-model.ts'
import { TextLink } from '../../components/text-link.tsx'
import { useFormat } from '../../format.ts'
import { useTranslation } from '../../translation.ts'
import type { AuditFilters, RecordsSearch } from './audit.search.ts'
import { type NamedLog, useActors } from './actors.texts.ts'
import { resourceNameOf, upper, useAuditTexts } from './audit.texts.ts'
import { Sentence, sentenceOf } from './record-lines.views.tsx'
import { useRecords } from './records.queries.ts'

// Lazy, because most visits of the list open no record.
const RecordDrawer = lazyPart(async () => (await import('./record-drawer.tsx')).RecordDrawer)

interface AuditRecordsProps {
  label: string
  /** The key under which the browser remembers the chosen columns. */
  name: string
  filters: AuditFilters
  search: RecordsSearch
  toolbar: ReactNode
  empty: { title: string; description?: string; action?: ReactNode }
  /** The column whose value would be the same in every row. */
  hides?: 'who'
}

/** An endless list of audit records, with the open record beside it. */
export const AuditRecords = ({ label, name, filters, search, toolbar, empty, hides }: AuditRecordsProps) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { records, onPage, news } = useRecords(filters, search)
  const { ofRecord } = useAuditTexts()
  const columns = useAuditColumns().filter(({ key }) => key !== hides)
  const [hasOpened, setOpened] = useState(false)
  if (search.id !== undefined && !hasOpened) setOpened(true)
  return (
    <>
      <DataTable
        label={label}
        name={name}
        columns={columns}
        rows={records}
        news={news}
        idOf={({ id }) => id}
        nameOf={(record) => sentenceOf(ofRecord(record))}
        page={search}
        onPage={onPage}
        isEndless
        toolbar={toolbar}
        empty={search.before_id === undefined ? empty : { title: t('auditLog.noneOlder') }}
      />
      {hasOpened && (
        <RecordDrawer
          id={search.id}
          listed={records.data?.items.map(({ id }) => id) ?? []}
          onOpen={(id) =>
            void navigate({
              to: '.',
              search: (others) => ({ ...others, id }),
              replace: true,
              resetScroll: false,
            })
          }
          onClose={() =>
            void navigate({ to: '.', search: (others) => ({ ...others, id: undefined }), resetScroll: false })
          }
        />
      )}
    </>
  )
}

/** The link to the record covers its whole row. */
const ActionCell = ({ record }: { record: NamedLog }) => {
  const { t } = useTranslation()
  const { id, action } = record
  const [first, ...parts] = useAuditTexts().ofRecord(record)
  const sentence = first ? [{ ...first, text: upper(first.text) }, ...parts] : []
  const text = sentenceOf(sentence)
  return (
    <Stack gap={0}>
      <TextLink
        to="."
        search={(others) => ({ ...others, id })}
        resetScroll={false}
        className="row-link subject"
        title={text}
        size="sm"
        c="inherit"
        underline="never"
      >
        <VisuallyHidden>{t('auditLog.open')} </VisuallyHidden>
        <Sentence parts={sentence} />
      </TextLink>
      {text !== action && (
        <Text size="xs" c="dimmed">
          {action}
        </Text>
      )}
    </Stack>
  )
}

const When = ({ at }: { at: string }) => {
  const format = useFormat()
  return (
    <Stack gap={0} className="numbers" style={{ whiteSpace: 'nowrap' }}>
      <Text size="sm">{format.moment(at)}</Text>
      <Ago at={at} size="xs" c="dimmed" />
    </Stack>
  )
}

const Cut = ({ text, isDimmed = false }: { text: string; isDimmed?: boolean }) => (
  <Text size={isDimmed ? 'xs' : 'sm'} className="cut" title={text} {...(isDimmed ? { c: 'dimmed' } : {})}>
    {text}
  </Text>
)

const Who = ({ record }: { record: NamedLog }) => {
  const { nameOf, noteOf } = useActors()
  const note = noteOf(record)
  return (
    <Stack gap={0}>
      <Cut text={nameOf(record)} />
      {note !== undefined && <Cut text={note} isDimmed />}
    </Stack>
  )
}

const useAuditColumns = (): Column<NamedLog>[] => {
  const { t } = useTranslation()
  const texts = useAuditTexts()
  return [
    {
      key: 'when',
      width: 11,
      header: t('auditLog.when'),
      cell: ({ created_at }) => <When at={created_at} />,
    },
    { key: 'who', width: 11, header: t('auditLog.who'), cell: (record) => <Who record={record} /> },
    {
      key: 'what',
      header: t('auditLog.what'),
      isFixed: true,
      cell: (record) => <ActionCell record={record} />,
    },
    {
      key: 'resource',
      width: 11,
      header: t('auditLog.resource'),
      cell: (record) => (
        <Stack gap={0}>
          <Cut text={texts.ofResource(record.resource)} />
          <Cut text={resourceNameOf(record) ?? record.resource_id} isDimmed />
        </Stack>
      ),
    },
    { key: 'ip', width: 9.5, header: t('auditLog.ip'), cell: ({ ip }) => <Cut text={ip} /> },
    {
      key: 'trace',
      width: 17,
      header: t('common.traceId'),
      isHidden: true,
      cell: ({ trace_id }) => <Cut text={trace_id} isDimmed />,
    },
  ]
}

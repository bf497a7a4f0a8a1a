import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { DataTable } from '../../components/data-table.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useAuditColumns } from './audit-columns.tsx'
import { useRecords } from './audit.queries.ts'
import type { AuditFilters, RecordsSearch } from './audit.search.ts'
import { useAuditTexts } from './audit.texts.ts'
import { sentenceOf } from './sentence.tsx'

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
  /** A column that would be equal in every row. */
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
        empty={search.before_id === undefined ? empty : { title: t('audit.noneOlder') }}
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

import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DataTable } from '../../components/data-table.tsx'
import { pageOf, type PageSearch } from '../../components/page-search.ts'
import type { Column } from '../../components/table-model.ts'
import { TextLink } from '../../components/text-link.tsx'
import { isolated } from '../../isolate.ts'
import { useTranslation } from '../../translation.ts'
import {
  fieldsOf,
  isRequired,
  type Draft,
  type Edits,
  type ImportField,
  type ImportKind,
  type Mapping,
} from './drafts.ts'
import type { Results } from './use-import.ts'

interface DraftTableProps {
  kind: ImportKind
  mapping: Mapping
  drafts: Draft[]
  results: Results
  /** The reason why a row has no effect. "" if it has an effect, or can have one. */
  reasonOf: (draft: Draft) => string
  repair: Repair | undefined
}

const useOutcome = ({ kind, results, reasonOf }: DraftTableProps): Column<Draft> => {
  const { t } = useTranslation()
  const cell = (draft: Draft) => {
    const result = results.get(draft.id)
    if (result && 'id' in result) {
      return kind === 'invite' ? (
        <Text size="sm">{t('invitations.importInvited')}</Text>
      ) : (
        <Stack gap={0} miw={200}>
          <TextLink to="/users/$userId" params={{ userId: String(result.id) }} target="_blank" size="sm">
            {t('userImport.created')}
          </TextLink>
          {result.refusal !== '' && (
            <Text size="sm" c="var(--text-bad)">
              {t('users.createdWithout', { reason: result.refusal })}
            </Text>
          )}
        </Stack>
      )
    }
    const reason = reasonOf(draft)
    return (
      <Text size="sm" c={reason === '' ? 'dimmed' : 'var(--text-bad)'} miw={200}>
        {reason || t('userImport.fine')}
      </Text>
    )
  }
  return { key: 'outcome', width: 16, header: t('userImport.outcome'), isFixed: true, cell }
}

/** The columns of the file's fields. Cells with a fault can be edited. */
const useFieldColumns = ({ repair }: DraftTableProps): Record<ImportField, Column<Draft>> => {
  const { t } = useTranslation()
  const column = (field: ImportField, textOf: (draft: Draft) => string, width?: number): Column<Draft> => ({
    key: field,
    header: t(`fields.${field}`),
    ...(width === undefined ? {} : { width }),
    cell: (draft) => <DraftCell {...{ draft, field, repair }} text={textOf(draft)} />,
  })
  return {
    email: column('email', ({ user }) => user.email, 16),
    username: column('username', ({ user }) => user.username),
    nickname: column('nickname', ({ user }) => user.nickname ?? ''),
    roles: column('roles', (draft) => draft.roles.map(({ name }) => isolated(name)).join(', ')),
    password: column(
      'password',
      ({ user }) => t(user.password === '' ? 'userImport.generated' : 'userImport.fromFile'),
      8,
    ),
    status: column('status', ({ user }) => t(user.status === 0 ? 'common.disabled' : 'common.enabled'), 7.5),
  }
}

const useDraftColumns = (props: DraftTableProps): Column<Draft>[] => {
  const { t } = useTranslation()
  const outcome = useOutcome(props)
  const columns = useFieldColumns(props)
  const row: Column<Draft> = {
    key: 'row',
    width: 4,
    header: t('userImport.row'),
    isFixed: true,
    cell: ({ id }) => id,
  }
  // Fields that are not in the file would take width from the e-mails.
  const there = fieldsOf(props.kind).filter(
    (field) => isRequired(field, props.kind) || props.mapping[field] !== undefined,
  )
  return [row, outcome, ...there.map((field) => columns[field])]
}

export const DraftTable = (props: DraftTableProps) => {
  const { t } = useTranslation()
  const [page, setPage] = useState<PageSearch>({})
  const [filter, setFilter] = useState('all')
  const shown =
    filter === 'all'
      ? props.drafts
      : props.drafts.filter((draft) => props.reasonOf(draft) !== '' || props.repair?.edits.has(draft.id))
  return (
    <DataTable
      label={t('userImport.rows')}
      name="user-import"
      columns={useDraftColumns(props)}
      rows={{
        data: pageOf(shown, page),
        error: undefined,
        isPlaceholderData: false,
        refetch: () => {},
      }}
      idOf={({ id }) => id}
      nameOf={({ user }) => user.email}
      page={page}
      onPage={setPage}
      toolbar={
        <SegmentedControl
          aria-label={t('userImport.filter')}
          value={filter}
          data={[
            { value: 'all', label: t('common.all') },
            { value: 'bad', label: t('userImport.withErrors') },
          ]}
          onChange={(value) => {
            setFilter(value)
            setPage({})
          }}
        />
      }
      empty={{ title: t('userImport.noErrors') }}
    />
  )
}

/** The editable cells: those with a fault, and those that the user has edited. */
interface Repair {
  mapping: Mapping
  edits: Edits
  onEdit: (line: number, column: number, text: string) => void
}

interface DraftCellProps {
  draft: Draft
  field: ImportField
  /** Shown unless the cell is editable. */
  text: string
  /** Absent after rows are sent. */
  repair: Repair | undefined
}

/** E-mails are shown in full, because users compare them. */
const Shown = ({ field, text }: Pick<DraftCellProps, 'field' | 'text'>) => (
  <Text size="sm" className={field === 'email' ? 'breakable' : 'cut'} title={text}>
    {text}
  </Text>
)

/** A cell of the file. If it has a fault, it becomes a text field. */
const DraftCell = ({ draft: { id, cells, problems }, field, text, repair }: DraftCellProps) => {
  const { t } = useTranslation()
  const column = repair?.mapping[field]
  const isFaulty = problems.some((problem) => problem.field === field)
  const isOpen = column !== undefined && (isFaulty || repair?.edits.get(id)?.[column] !== undefined)
  if (!isOpen) {
    return <Shown {...{ field, text }} />
  }
  return (
    <TextInput
      size="xs"
      aria-label={t('userImport.cellOf', { field: t(`fields.${field}`), line: id })}
      error={isFaulty}
      value={cells[column] ?? ''}
      onChange={({ currentTarget }) => repair?.onEdit(id, column, currentTarget.value)}
    />
  )
}

import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../components/data-table.tsx'
import { pageOf, type PageSearch } from '../../components/page-search.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { Column } from '../../components/table-model.ts'
import { TextLink } from '../../components/text-link.tsx'
import type { Draft, ImportKind } from './drafts.ts'
import type { Results } from './use-import.ts'

export interface DraftTableProps {
  kind: ImportKind
  drafts: Draft[]
  results: Results
  /** The reason why a row has no effect; '' if it has one, or may. */
  reasonOf: (draft: Draft) => string
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

const useDraftColumns = (props: DraftTableProps): Column<Draft>[] => {
  const { t } = useTranslation()
  const outcome = useOutcome(props)
  const text = (key: 'email' | 'username' | 'nickname'): Column<Draft> => ({
    key,
    header: t(`fields.${key}`),
    cell: ({ user }) => (
      <Text size="sm" className="cut" title={user[key] ?? ''}>
        {user[key]}
      </Text>
    ),
  })
  const row: Column<Draft> = {
    key: 'row',
    width: 4,
    header: t('userImport.row'),
    isFixed: true,
    cell: ({ id }) => id,
  }
  const roles: Column<Draft> = {
    key: 'roles',
    header: t('fields.roles'),
    cell: (draft) => <Text size="sm">{draft.roles.map(({ name }) => name).join(', ')}</Text>,
  }
  if (props.kind === 'invite') return [row, outcome, text('email'), text('nickname'), roles]
  return [
    row,
    outcome,
    text('email'),
    text('username'),
    text('nickname'),
    roles,
    {
      key: 'password',
      width: 8,
      header: t('fields.password'),
      cell: ({ user }) => (
        <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {user.password === '' ? t('userImport.generated') : t('userImport.fromFile')}
        </Text>
      ),
    },
    {
      key: 'status',
      width: 7.5,
      header: t('fields.status'),
      cell: ({ user: { status = 1 } }) => <StatusBadge status={status} />,
    },
  ]
}

export const DraftTable = (props: DraftTableProps) => {
  const { t } = useTranslation()
  const [page, setPage] = useState<PageSearch>({})
  const [filter, setFilter] = useState('all')
  const shown = filter === 'all' ? props.drafts : props.drafts.filter((draft) => props.reasonOf(draft) !== '')
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

import { Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Attempt, Connection } from '@tenantry/client'
import { useState } from 'react'
import { Ago } from '../../components/ago.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import type { Column } from '../../components/table-model.ts'
import { useTranslation } from '../../translation.ts'
import { AttemptStatus, useAttemptText } from './attempt-facts.tsx'
import { useAttempts } from './sso.queries.ts'

const AttemptDrawer = lazyPart(async () => (await import('./attempt-drawer.tsx')).AttemptDrawer)

const route = getRouteApi('/shell/connections/$connectionId')

interface PersonProps {
  attempt: Attempt
  onOpen: () => void
}

/** The button covers the whole row. */
const Person = ({ attempt: { email, subject }, onOpen }: PersonProps) => {
  const { t } = useTranslation()
  return (
    <UnstyledButton className="row-link" maw="100%" onClick={onOpen}>
      <VisuallyHidden>{t('connections.openAttempt')} </VisuallyHidden>
      <Text span display="block" size="sm" c="var(--link)" className="cut">
        {email || t('connections.noAddress')}
      </Text>
      <Text span display="block" size="xs" c="dimmed" className="cut">
        {subject}
      </Text>
    </UnstyledButton>
  )
}

const useColumns = (onOpen: (attempt: Attempt) => void): Column<Attempt>[] => {
  const { t } = useTranslation()
  const textOf = useAttemptText()
  const numeric = (text: string | number) => (
    <Text size="sm" className="numbers">
      {text}
    </Text>
  )
  return [
    { key: 'at', width: 8, header: t('connections.at'), isFixed: true, cell: ({ at }) => <Ago at={at} /> },
    {
      key: 'outcome',
      isClear: true,
      header: t('connections.outcome'),
      cell: (attempt) => (
        <Stack gap={4} align="flex-start">
          <AttemptStatus outcome={attempt.outcome} />
          <Text size="sm">{textOf(attempt)}</Text>
        </Stack>
      ),
    },
    {
      key: 'who',
      isClear: true,
      width: 15,
      header: t('connections.who'),
      cell: (attempt) => <Person attempt={attempt} onOpen={() => onOpen(attempt)} />,
    },
    {
      key: 'number',
      width: 6,
      header: t('connections.number'),
      cell: ({ number }) => numeric(number === 0 ? '–' : number),
    },
    { key: 'ip', width: 9, header: t('connections.source'), cell: ({ ip }) => numeric(ip) },
  ]
}

export const Attempts = ({ connection }: { connection: Connection }) => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const attempts = useAttempts(connection.id, search)
  const [opened, setOpened] = useState<Attempt>()
  return (
    <>
      <DataTable
        label={t('connections.attempts')}
        name="sso-attempts"
        columns={useColumns(setOpened)}
        rows={attempts}
        idOf={({ id }) => id}
        nameOf={({ email }) => email}
        page={search}
        toolbar={
          <Text size="sm" c="dimmed">
            {t('connections.attemptsHint')}
          </Text>
        }
        empty={{ title: t('connections.noAttempts'), description: t('connections.noAttemptsText') }}
      />
      {opened && <AttemptDrawer attempt={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

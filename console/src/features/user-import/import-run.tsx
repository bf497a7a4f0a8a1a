import { Button, Card, Group, Progress, Stack, Text } from '@mantine/core'
import { skipToken, useQuery } from '@tanstack/react-query'
import type { User } from '@tenantry/client'
import { useMemo, useState } from 'react'
import { runEach } from '../../components/use-bulk.ts'
import { isolated } from '../../isolate.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useRoles } from '../roles/roles.queries.ts'
import { DraftTable } from './draft-table.tsx'
import {
  draftsOf,
  kindFor,
  recognise,
  withEdits,
  type Draft,
  type Edits,
  type Existing,
  type ImportSettings,
  type NamedRole,
  type Problem,
} from './drafts.ts'
import { ImportDone } from './import-done.tsx'
import { ImportReady } from './import-ready.tsx'
import type { ImportFile } from './read-file.ts'
import { hasSecrets, useImport, type ImportState, type LeaveRisk } from './use-import.ts'

interface ImportRunProps {
  file: ImportFile
  /** True if leaving the page would lose work. */
  isUnsaved: boolean
  onLeaveRisk: (held: LeaveRisk) => void
  onAnother: () => void
}

/** The reason why a row has no effect: its fault, the service's refusal, or the end of the import before it. */
const useReasonOf = ({ status, results }: ImportState) => {
  const { t } = useTranslation()
  const said = ({ text, field, line, names }: Problem): string => {
    const reason = t(text, { line, names: names?.map((name) => `“${isolated(name)}”`).join(', ') })
    // The others name their field themselves.
    const isBare = text.startsWith('fieldFaults.') || text === 'userImport.duplicateOf'
    return field && isBare ? t('userImport.refused', { names: t(`fields.${field}`), reason }) : reason
  }
  return ({ id, problems }: Draft): string => {
    if (problems.length > 0) return problems.map(said).join(' ')
    const result = results.get(id)
    if (result) return 'reason' in result ? result.reason : ''
    return status === 'done' ? t('userImport.notTried') : ''
  }
}

const none: NamedRole[] = []

/** The rows with the edits of their cells. At first, recognised headers decide the columns. */
const useDrafts = (file: ImportFile) => {
  const { data: roles = none } = useRoles()
  const [settings, changeSettings] = useState<ImportSettings>(() => {
    const mapping = recognise(file.header)
    return { mapping, kind: kindFor(mapping), roles: {} }
  })
  const [edits, setEdits] = useState<Edits>(new Map())
  const { email = -1 } = settings.mapping
  const emails = useMemo(
    () => file.rows.map(({ cells }) => cells[email]?.trim() ?? '').filter((one) => one.includes('@')),
    [file, email],
  )
  const { data: existing, isFetching } = useExisting(emails)
  const drafts = useMemo(
    () => draftsOf(withEdits(file, edits), settings, { roles, existing }),
    [file, edits, settings, roles, existing],
  )
  const onEdit = (line: number, column: number, text: string): void =>
    setEdits((all) => new Map(all).set(line, { ...all.get(line), [column]: text }))
  return {
    settings,
    drafts,
    roles,
    changeSettings,
    repair: { mapping: settings.mapping, edits, onEdit },
    isLooking: isFetching,
  }
}

export const ImportRun = ({ file, isUnsaved, onLeaveRisk, onAnother }: ImportRunProps) => {
  const { settings, drafts, roles, changeSettings, repair, isLooking } = useDrafts(file)
  const { kind } = settings
  const { state, run, stop } = useImport(kind)
  const reasonOf = useReasonOf(state)
  const start = async (sound: Draft[]): Promise<void> => {
    onLeaveRisk('running')
    onLeaveRisk(hasSecrets(await run(sound)) ? 'unsaved' : undefined)
  }
  return (
    <>
      <Card withBorder padding="md" mb="md">
        {state.status === 'ready' && (
          <ImportReady
            {...{ file, settings, drafts, roles, isLooking, onAnother }}
            onSettings={changeSettings}
            onRun={(sound) => void start(sound)}
          />
        )}
        {state.status === 'running' && <ImportProgress state={state} onStop={stop} />}
        {state.status === 'done' && (
          <ImportDone
            {...{ file, kind, drafts, reasonOf, isUnsaved, onAnother }}
            state={state}
            onSaved={() => onLeaveRisk(undefined)}
          />
        )}
      </Card>
      <DraftTable
        {...{ kind, drafts, reasonOf }}
        mapping={settings.mapping}
        results={state.results}
        repair={state.status === 'ready' ? repair : undefined}
      />
    </>
  )
}

const ImportProgress = ({ state, onStop }: { state: ImportState; onStop: () => void }) => {
  const { t } = useTranslation()
  const { results, total } = state
  const said = t('common.progress', { done: results.size, total })
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" className="numbers" role="status">
          {said}
        </Text>
        <Button size="xs" variant="default" onClick={onStop}>
          {t('common.stop')}
        </Button>
      </Group>
      <Progress value={(100 * results.size) / total} aria-label={said} />
      <Text size="sm" c="dimmed">
        {t('userImport.stayHere')}
      </Text>
    </Stack>
  )
}

/** The service's largest page. */
const pageSize = 200
const atOnce = 3

type List = ReturnType<typeof useScope>['api']['users']['list']

/** Reads all users of the tenant or searches for each address, depending on which needs fewer requests. */
const readUsers = async (list: List, emails: string[], signal: AbortSignal): Promise<User[]> => {
  const first = await list({ page_size: pageSize }, { signal })
  const pages = Math.ceil(first.total / pageSize)
  const found: User[] = []
  const options = { atOnce, signal, onSettled: () => {} }
  if (first.isCapped || pages > emails.length) {
    const search = async (email: string) => {
      found.push(...(await list({ search: email, page_size: 5 }, { signal })).items)
    }
    await runEach(emails, search, options)
    return found
  }
  const read = async (page: number) => {
    found.push(...(await list({ page, page_size: pageSize }, { signal })).items)
  }
  await runEach(
    Array.from({ length: pages - 1 }, (_, index) => index + 2),
    read,
    options,
  )
  return [...first.items, ...found]
}

/**
 * The users that the tenant had before the import. Their rows are marked before the sending. Needs `user:read`.
 * Requested once per file, so that users of this import do not appear.
 */
const useExisting = (emails: string[]) => {
  const { api, tenantId } = useScope()
  const isAsked = useMe().can('user:read') && emails.length > 0
  return useQuery({
    queryKey: ['users', tenantId, 'existing', emails],
    queryFn: isAsked
      ? async ({ signal }): Promise<Existing> => {
          const users = await readUsers(api.users.list, emails, signal)
          return {
            emails: new Set(users.map(({ email }) => email.toLowerCase())),
            usernames: new Set(users.map(({ username }) => username.toLowerCase())),
          }
        }
      : skipToken,
    enabled: ({ state }) => state.data === undefined,
    gcTime: 0,
  })
}

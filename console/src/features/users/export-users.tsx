import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Client, Page, User } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { byteOrderMark, toCsv } from '../../components/csv.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { LeaveWork } from '../../components/leave-question.tsx'
import { saveFile } from '../../components/save-file.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useStop } from '../../components/use-stop.ts'
import { useFormat } from '../../format.ts'
import { loadPart } from '../../load-part.ts'
import { useScope } from '../../session/scope.ts'
import { useFileName } from '../../shell/tenants.ts'

const header = ['id', 'username', 'email', 'nickname', 'status', 'last_login']

const rowOf = ({ id, username, email, nickname, status, last_login }: User) => [
  id,
  username,
  email,
  nickname,
  status === 1 ? 'enabled' : 'disabled',
  last_login,
]

/** The users of a page, which become text at once: text takes less memory than users. */
const batchSize = 200

/** The query of the export, which reads in order of id. */
type ExportQuery = NonNullable<Parameters<Client['users']['all']>[0]>

interface Reading {
  query: ExportQuery
  signal: AbortSignal
  onCount: (count: number) => void
}

const readAll = async (api: Client, { query, signal, onCount }: Reading): Promise<string[]> => {
  const parts = [byteOrderMark, await toCsv([header])]
  let count = 0
  let batch: ReturnType<typeof rowOf>[] = []
  const flush = async (): Promise<void> => {
    if (batch.length > 0) parts.push(await toCsv(batch))
    batch = []
    onCount(count)
  }
  for await (const user of api.users.all(query, { signal })) {
    batch.push(rowOf(user))
    count += 1
    if (batch.length === batchSize) await flush()
  }
  await flush()
  return parts
}

/** Saves the selected users, which the page already has. */
export const ExportSelected = ({ users }: { users: User[] }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const fileName = useFileName()
  const saving = useMutation({
    mutationFn: loadPart(async () =>
      saveFile([byteOrderMark, await toCsv([header, ...users.map(rowOf)])], `${fileName('users')}.csv`),
    ),
    onSuccess: () => notify(t('users.exported', { count: users.length })),
  })
  return (
    <>
      <Button size="xs" variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
        {t('users.exportSelected')}
      </Button>
      {saving.error && <ErrorPanel error={saving.error} />}
    </>
  )
}

interface ExportState {
  count: number
  error?: unknown
}

const useExport = (query: ExportQuery) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const { begin, stop } = useStop()
  const fileName = useFileName()
  const [state, setState] = useState<ExportState>()

  const run = async (): Promise<void> => {
    const signal = begin()
    let count = 0
    const onCount = (now: number): void => {
      count = now
      setState({ count })
    }
    onCount(0)
    try {
      const parts = await readAll(api, { query, signal, onCount })
      saveFile(parts, `${fileName('users')}.csv`)
      notify(t('users.exported', { count }))
      setState(undefined)
    } catch (error) {
      setState(signal.aborted ? undefined : { count, error })
    }
  }

  const close = (): void => {
    stop()
    setState(undefined)
  }
  return { state, run, close }
}

interface ExportUsersProps {
  query: ExportQuery
  counted: Pick<Page<User>, 'total' | 'isCapped'> | undefined
}

const none = { total: 0, isCapped: false }

export const ExportUsers = ({ query, counted = none }: ExportUsersProps) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { state, run, close } = useExport(query)
  const { total } = counted
  const count = state?.count ?? 0
  const said = t('users.exporting', {
    done: format.count(count),
    total: format.total(counted),
  })
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        disabled={total === 0}
        onClick={() => void run()}
      >
        {t('users.export')}
      </Button>
      <Dialog
        opened={state !== undefined}
        onClose={close}
        title={t('users.exportTitle')}
        closeOnClickOutside={false}
      >
        <Stack>
          {state?.error === undefined ? (
            <>
              <Text size="sm" className="numbers" role="status">
                {said}
              </Text>
              <Progress value={Math.min(100, (100 * count) / total)} aria-label={said} />
            </>
          ) : (
            <ErrorPanel error={state.error} onRetry={() => void run()} />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('common.cancel')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
      <LeaveWork isRunning={state !== undefined && state.error === undefined} />
    </>
  )
}

import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Attribute, Client, ListedUser, Page, User } from '@tenantry/client'
import { useId, useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { lineOf } from '../../components/attribute-values.ts'
import { byteOrderMark, toCsv } from '../../components/csv.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { LeaveWork } from '../../components/leave-question.tsx'
import { saveFile } from '../../components/save-file.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useFormat } from '../../format.ts'
import { loadPart } from '../../load-part.ts'
import { useScope } from '../../session/scope.ts'
import { useFileName } from '../../shell/tenants.ts'
import { filterName, useListed } from '../attributes/attributes.queries.ts'

/** The cells of the header, and those of a user. Attributes are those that lists show. */
const columnsOf = (attributes: Attribute[]) => ({
  header: [
    'id',
    'username',
    'email',
    'nickname',
    'status',
    'last_login',
    ...attributes.map(({ key }) => filterName(key)),
  ],
  rowOf: ({ id, username, email, nickname, status, last_login, attributes: values = {} }: ListedUser) => [
    id,
    username,
    email,
    nickname,
    status === 1 ? 'enabled' : 'disabled',
    last_login,
    ...attributes.map(({ key }) => lineOf(values[key])),
  ],
})

type Columns = ReturnType<typeof columnsOf>

/** The users of a page, which become text at once: text takes less memory than users. */
const batchSize = 200

/** The query of the export, which reads in order of id. */
type ExportQuery = NonNullable<Parameters<Client['users']['all']>[0]>

interface Reading extends Columns {
  query: ExportQuery
  signal: AbortSignal
  onCount: (count: number) => void
}

const readAll = async (
  api: Client,
  { query, header, rowOf, signal, onCount }: Reading,
): Promise<string[]> => {
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
export const useExportSelected = (users: ListedUser[]) => {
  const { t } = useTranslation()
  const { header, rowOf } = columnsOf(useListed('user'))
  const notify = useNotify()
  const fileName = useFileName()
  const { mutate, error, reset } = useMutation({
    mutationFn: loadPart(async () =>
      saveFile([byteOrderMark, await toCsv([header, ...users.map(rowOf)])], `${fileName('users')}.csv`),
    ),
    onSuccess: () => notify(t('users.exported', { count: users.length })),
  })
  const failure = error && (
    <Dialog opened onClose={reset} title={t('users.export')}>
      <ErrorPanel error={error} />
    </Dialog>
  )
  return { save: () => mutate(), failure }
}

export interface ExportProps {
  query: ExportQuery
  counted: Pick<Page<User>, 'total' | 'isCapped'> | undefined
}

interface ExportDialogProps extends ExportProps {
  onClose: () => void
}

/** Begins when it is mounted, and ends with it. */
const useExport = ({ query, onClose }: ExportDialogProps) => {
  const columns = columnsOf(useListed('user'))
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const fileName = useFileName()
  const [count, setCount] = useState(0)
  const { error, isFetching, refetch } = useQuery({
    queryKey: ['export', useId()],
    queryFn: async ({ signal }) => {
      let read = 0
      const onCount = (now: number): void => {
        read = now
        setCount(now)
      }
      const parts = await readAll(api, { query, ...columns, signal, onCount })
      saveFile(parts, `${fileName('users')}.csv`)
      notify(t('users.exported', { count: read }))
      onClose()
      return null
    },
    gcTime: 0,
    staleTime: Infinity,
    networkMode: 'always',
  })
  return { count, error: isFetching ? null : error, retry: () => void refetch() }
}

const none = { total: 0, isCapped: false }

/** Exports the users, shows how many it has read, and stops when it is closed. */
export const ExportDialog = (props: ExportDialogProps) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { counted = none, onClose } = props
  const { count, error, retry } = useExport(props)
  const said = t('users.exporting', { done: format.count(count), total: format.total(counted) })
  return (
    <Dialog opened onClose={onClose} title={t('users.exportTitle')} closeOnClickOutside={false}>
      <Stack>
        {error === null ? (
          <>
            <Text size="sm" className="numbers" role="status">
              {said}
            </Text>
            <Progress value={Math.min(100, (100 * count) / counted.total)} aria-label={said} />
          </>
        ) : (
          <ErrorPanel error={error} onRetry={retry} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
        </Group>
      </Stack>
      <LeaveWork isRunning={error === null} />
    </Dialog>
  )
}

/** Exports the users of the tenant in scope. */
export const ExportAllUsers = ({ onClose }: { onClose: () => void }) => {
  const { api, tenantId } = useScope()
  const { data } = useQuery({
    queryKey: ['users', tenantId, 'count'],
    queryFn: ({ signal }) => api.users.list({ page_size: 1 }, { signal }),
  })
  return <ExportDialog query={{ include: 'attributes' }} counted={data} onClose={onClose} />
}

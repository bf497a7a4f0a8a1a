import { Alert, Button, FileButton, Group, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { IconFileTypeCsv } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState, type DragEvent } from 'react'
import { BackLink } from '../../components/back-link.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { LeaveQuestion } from '../../components/leave-question.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useFormat } from '../../format.ts'
import { loadPart } from '../../load-part.ts'
import { useTranslation } from '../../translation.ts'
import { bytesMax, readFile, rowsMax, type ImportFile, type Unreadable } from './read-file.ts'
import { saveTemplate } from './result-files.ts'
import type { LeaveRisk } from './use-import.ts'

const ImportRun = lazyPart(
  async () => (await import('./import-run.tsx')).ImportRun,
  <Skeleton height={320} />,
)

/** Imports users from a CSV file. The user chooses the file, checks and sends it, and reads the outcome of each row. */
export const UserImportPage = () => {
  const { t } = useTranslation()
  const [file, setFile] = useState<ImportFile>()
  const [leaveRisk, setLeaveRisk] = useState<LeaveRisk>()
  return (
    <>
      <BackLink to="/users">{t('places.users')}</BackLink>
      <PageHeader title={t('places.userImport')} description={file?.name ?? t('userImport.description')} />
      {file ? (
        <ImportRun
          file={file}
          isUnsaved={leaveRisk !== undefined}
          onLeaveRisk={setLeaveRisk}
          onAnother={() => setFile(undefined)}
        />
      ) : (
        <ChooseFile onFile={setFile} />
      )}
      {/* Asks before leaving while work is running or passwords are unsaved. */}
      <LeaveQuestion
        isUnsaved={leaveRisk !== undefined}
        title={t('userImport.leaveTitle')}
        confirm={t('userImport.leave')}
      >
        {t(leaveRisk === 'unsaved' ? 'userImport.leaveUnsaved' : 'userImport.leaveText')}
      </LeaveQuestion>
    </>
  )
}

const useLimits = () => {
  const format = useFormat()
  return { rows: format.count(rowsMax), megabytes: bytesMax / 1024 / 1024 }
}

/** Reads a chosen or dropped file, and shows why it cannot be read. */
const ChooseFile = ({ onFile }: { onFile: (file: ImportFile) => void }) => {
  const [unreadable, setUnreadable] = useState<Unreadable>()
  const taking = useMutation({
    // The code that reads files is fetched with the first file.
    mutationFn: (file: File) => loadPart(() => readFile(file))(),
    onSuccess: (read) => ('problem' in read ? setUnreadable(read) : onFile(read)),
  })
  const template = useMutation({ mutationFn: loadPart(saveTemplate) })
  const error = taking.error ?? template.error
  return (
    <Stack maw={800}>
      {error && <ErrorPanel error={error} />}
      {unreadable && !error && <Why {...unreadable} />}
      <DropZone onDrop={taking.mutate} onTemplate={() => template.mutate()} />
    </Stack>
  )
}

const Why = ({ problem, line }: Unreadable) => {
  const { t } = useTranslation()
  const limits = useLimits()
  return (
    <Alert role="alert" color="red" title={t('userImport.unreadable')}>
      {t(problem, { ...limits, line })}
    </Alert>
  )
}

interface DropZoneProps {
  onDrop: (file: File) => void
  onTemplate: () => void
}

const DropZone = ({ onDrop, onTemplate }: DropZoneProps) => {
  const { t } = useTranslation()
  const limits = useLimits()
  const [isOver, setOver] = useState(false)
  const forget = useRef<() => void>(null)
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) onDrop(file)
  }
  const choose = (file: File | null): void => {
    if (file) onDrop(file)
    // Otherwise no event would come if the user chooses the corrected file again.
    forget.current?.()
  }
  return (
    <Paper
      withBorder
      className="drop"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconFileTypeCsv size={40} stroke={1.25} />
      <Text fw={500}>{t('userImport.drop')}</Text>
      <Text size="sm" c="dimmed" maw={520} ta="center">
        {t('userImport.explain', limits)}
      </Text>
      <Group gap="xs" justify="center">
        <FileButton accept=".csv,.tsv,.txt,text/csv" resetRef={forget} onChange={choose}>
          {(props) => <Button {...props}>{t('userImport.choose')}</Button>}
        </FileButton>
        <Button variant="default" onClick={onTemplate}>
          {t('userImport.template')}
        </Button>
      </Group>
    </Paper>
  )
}

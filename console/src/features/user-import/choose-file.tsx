import { Alert, Button, FileButton, Group, Paper, Stack, Text } from '@mantine/core'
import { IconFileTypeCsv } from '@tabler/icons-react'
import { useState, type DragEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format.ts'
import { bytesMax, rowsMax } from './drafts.ts'
import { readFile, type ImportFile, type Unreadable } from './read-file.ts'
import { saveTemplate } from './result-files.ts'

const useLimits = () => {
  const format = useFormat()
  return { rows: format.count(rowsMax), megabytes: bytesMax / 1024 / 1024 }
}

/** A file, chosen or dropped, and why it cannot be read if so. */
export const ChooseFile = ({ onFile }: { onFile: (file: ImportFile) => void }) => {
  const { t } = useTranslation()
  const limits = useLimits()
  const [unreadable, setUnreadable] = useState<Unreadable>()
  const take = async (file: File): Promise<void> => {
    const read = await readFile(file)
    if (typeof read === 'string') setUnreadable(read)
    else onFile(read)
  }
  return (
    <Stack maw={800}>
      {unreadable && (
        <Alert role="alert" color="red" title={t('userImport.unreadable')}>
          {t(unreadable, limits)}
        </Alert>
      )}
      <DropZone onDrop={(file) => void take(file)} />
    </Stack>
  )
}

const DropZone = ({ onDrop }: { onDrop: (file: File) => void }) => {
  const { t } = useTranslation()
  const limits = useLimits()
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) onDrop(file)
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
        <FileButton accept=".csv,.tsv,.txt,text/csv" onChange={(file) => file && onDrop(file)}>
          {(props) => <Button {...props}>{t('userImport.choose')}</Button>}
        </FileButton>
        <Button variant="default" onClick={() => void saveTemplate()}>
          {t('userImport.template')}
        </Button>
      </Group>
    </Paper>
  )
}

import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ColumnMapping } from './column-mapping.tsx'
import type { Draft, Reading } from './drafts.ts'
import type { ImportFile } from './read-file.ts'

interface ImportReadyProps {
  file: ImportFile
  reading: Reading
  drafts: Draft[]
  onReading: (reading: Reading) => void
  onRun: (sound: Draft[]) => void
  onAnother: () => void
}

/** Shows the columns and the number of valid rows before anything is sent. */
export const ImportReady = ({ file, reading, drafts, onReading, onRun, onAnother }: ImportReadyProps) => {
  const { t } = useTranslation()
  const sound = drafts.filter(({ problems }) => problems.length === 0)
  const isInviting = reading.kind === 'invite'
  const made = isInviting ? 0 : sound.filter(({ user }) => user.password === '').length
  return (
    <Stack>
      <SegmentedControl
        aria-label={t('invitations.importKind')}
        value={reading.kind}
        data={[
          { value: 'create', label: t('invitations.importCreate') },
          { value: 'invite', label: t('invitations.importInvite') },
        ]}
        onChange={(kind) => onReading({ ...reading, kind })}
      />
      <ColumnMapping header={file.header} reading={reading} onChange={onReading} />
      <Group justify="space-between" gap="sm">
        <Stack gap={2} miw={0} flex="1 1 20rem">
          <Text size="sm" role="status">
            {t('userImport.sound', { count: drafts.length, sound: sound.length })}
          </Text>
          {made > 0 && (
            <Text size="sm" c="dimmed">
              {t('userImport.willGenerate', { count: made })}
            </Text>
          )}
        </Stack>
        <Group gap="xs">
          <Button variant="default" onClick={onAnother}>
            {t('userImport.another')}
          </Button>
          <Button disabled={sound.length === 0} onClick={() => onRun(sound)}>
            {t(isInviting ? 'invitations.importRun' : 'userImport.run', { count: sound.length })}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}

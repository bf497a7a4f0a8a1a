import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from '../../translation.ts'
import { ColumnMapping } from './column-mapping.tsx'
import type { Draft, NamedRole, Reading } from './drafts.ts'
import type { ImportFile } from './read-file.ts'
import { UnknownRoles } from './unknown-roles.tsx'

interface ImportReadyProps {
  file: ImportFile
  reading: Reading
  drafts: Draft[]
  roles: NamedRole[]
  /** True while the existing users are still being read. */
  isLooking: boolean
  onReading: (reading: Reading) => void
  onRun: (sound: Draft[]) => void
  onAnother: () => void
}

/** Shows the columns and the number of valid rows before anything is sent. */
export const ImportReady = (props: ImportReadyProps) => {
  const { file, reading, drafts, roles, isLooking, onReading, onRun, onAnother } = props
  const { t } = useTranslation()
  const sound = drafts.filter(({ problems }) => problems.length === 0)
  const isInviting = reading.kind === 'invite'
  const made = reading.kind === 'create' ? sound.filter(({ user }) => user.password === '').length : 0
  return (
    <Stack>
      <KindChoice {...{ reading, onReading }} />
      <ColumnMapping header={file.header} reading={reading} onChange={onReading} />
      <UnknownRoles {...{ drafts, reading, roles }} onChange={onReading} />
      <Group justify="space-between" gap="sm">
        <Stack gap={2} miw={0} flex="1 1 20rem">
          <Text size="sm" role="status">
            {isLooking
              ? t('userImport.lookingUp')
              : t('userImport.sound', { count: drafts.length, sound: sound.length })}
          </Text>
          {reading.kind === 'import' && (
            <Text size="sm" c="dimmed">
              {t('userImport.willSetPasswords')}
            </Text>
          )}
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
          <Button disabled={sound.length === 0 || isLooking} onClick={() => onRun(sound)}>
            {t(isInviting ? 'invitations.importRun' : 'userImport.run', { count: sound.length })}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}

/** Vertical on a phone, which would cut the last kind. */
const KindChoice = ({ reading, onReading }: Pick<ImportReadyProps, 'reading' | 'onReading'>) => {
  const { t } = useTranslation()
  const isNarrow = useMediaQuery('(max-width: 36em)')
  return (
    <SegmentedControl
      aria-label={t('invitations.importKind')}
      orientation={isNarrow ? 'vertical' : 'horizontal'}
      value={reading.kind}
      data={[
        { value: 'create', label: t('invitations.importCreate') },
        { value: 'import', label: t('userImport.withoutPasswords') },
        { value: 'invite', label: t('invitations.importInvite') },
      ]}
      onChange={(kind) => onReading({ ...reading, kind })}
    />
  )
}

import { Button, Group, NativeSelect, SegmentedControl, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { isolated } from '../../isolate.ts'
import { useTranslation } from '../../translation.ts'
import { fieldsOf, isRequired, type Draft, type ImportSettings, type NamedRole } from './drafts.ts'
import type { ImportFile } from './read-file.ts'

interface ImportReadyProps {
  file: ImportFile
  settings: ImportSettings
  drafts: Draft[]
  roles: NamedRole[]
  /** True while the existing users are still being read. */
  isLooking: boolean
  onSettings: (settings: ImportSettings) => void
  onRun: (sound: Draft[]) => void
  onAnother: () => void
}

/** Shows the columns and the number of valid rows before anything is sent. */
export const ImportReady = (props: ImportReadyProps) => {
  const { file, settings, drafts, roles, isLooking, onSettings, onRun, onAnother } = props
  const { t } = useTranslation()
  const sound = drafts.filter(({ problems }) => problems.length === 0)
  const isInviting = settings.kind === 'invite'
  return (
    <Stack>
      <KindChoice {...{ settings, onSettings }} />
      <ColumnMapping header={file.header} settings={settings} onChange={onSettings} />
      <UnknownRoles {...{ drafts, settings, roles }} onChange={onSettings} />
      <Group justify="space-between" gap="sm">
        <Stack gap={2} miw={0} flex="1 1 20rem">
          <Text size="sm" role="status">
            {isLooking
              ? t('userImport.lookingUp')
              : t('userImport.sound', { count: drafts.length, sound: sound.length })}
          </Text>
          <Notes {...{ settings, drafts, sound }} />
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

interface NotesProps extends Pick<ImportReadyProps, 'settings' | 'drafts'> {
  sound: Draft[]
}

const useNotes = ({ settings: { kind }, drafts, sound }: NotesProps): string[] => {
  const { t } = useTranslation()
  if (kind === 'invite') return []
  if (kind === 'import') return [t('userImport.willSetPasswords')]
  const lacksNames = drafts.some(({ user }) => user.username === '')
  const made = sound.filter(({ user }) => user.password === '').length
  return [
    ...(lacksNames ? [t('userImport.lacksNames')] : []),
    ...(made > 0 ? [t('userImport.willGenerate', { count: made })] : []),
  ]
}

const Notes = (props: NotesProps) =>
  useNotes(props).map((note) => (
    <Text key={note} size="sm" c="dimmed">
      {note}
    </Text>
  ))

/** Vertical on a phone, which would cut off the last kind. */
const KindChoice = ({ settings, onSettings }: Pick<ImportReadyProps, 'settings' | 'onSettings'>) => {
  const { t } = useTranslation()
  const isNarrow = useMediaQuery('(max-width: 36em)')
  return (
    <SegmentedControl
      aria-label={t('invitations.importKind')}
      orientation={isNarrow ? 'vertical' : 'horizontal'}
      value={settings.kind}
      data={[
        { value: 'create', label: t('invitations.importCreate') },
        { value: 'import', label: t('userImport.withoutPasswords') },
        { value: 'invite', label: t('invitations.importInvite') },
      ]}
      onChange={(kind) => onSettings({ ...settings, kind })}
    />
  )
}

interface ColumnMappingProps {
  header: string[]
  settings: ImportSettings
  onChange: (settings: ImportSettings) => void
}

const ColumnMapping = ({ header, settings, onChange }: ColumnMappingProps) => {
  const { t } = useTranslation()
  const { mapping, kind } = settings
  const columns = header.map((name, index) => ({
    value: String(index),
    label: name.trim() || t('userImport.column', { number: index + 1 }),
  }))
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 6 }} spacing="sm">
      {fieldsOf(kind).map((field) => (
        <Select
          key={field}
          label={t(`fields.${field}`)}
          required={isRequired(field, kind)}
          placeholder={t('userImport.noColumn')}
          data={columns}
          value={mapping[field] === undefined ? null : String(mapping[field])}
          error={field === 'email' && mapping[field] === undefined && t('userImport.emailColumn')}
          clearable
          clearButtonProps={{ 'aria-label': t('common.clear') }}
          onChange={(value) => {
            const { [field]: _, ...others } = mapping
            const changed = value === null ? others : { ...others, [field]: Number(value) }
            onChange({ ...settings, mapping: changed })
          }}
        />
      ))}
    </SimpleGrid>
  )
}

interface UnknownRolesProps {
  drafts: Draft[]
  settings: ImportSettings
  roles: NamedRole[]
  onChange: (settings: ImportSettings) => void
}

const leftOut = 'none'

const valueOf = (chosen: number | null | undefined): string =>
  chosen === null ? leftOut : chosen === undefined ? '' : String(chosen)

/** Lets the user choose a role of the tenant for each unknown name in the file. */
const UnknownRoles = ({ drafts, settings, roles, onChange }: UnknownRolesProps) => {
  const { t } = useTranslation()
  const unknown = drafts.flatMap(({ problems }) => problems.flatMap(({ names = [] }) => names))
  const names = [...new Set([...Object.keys(settings.roles), ...unknown])]
  if (names.length === 0) return null
  const choices = [
    { value: '', label: t('userImport.chooseRole') },
    { value: leftOut, label: t('userImport.leaveOut') },
    ...roles.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  const choose = (name: string, value: string): void => {
    const { [name]: _, ...others } = settings.roles
    const chosen = value === leftOut ? null : Number(value)
    onChange({ ...settings, roles: value === '' ? others : { ...others, [name]: chosen } })
  }
  return (
    <Stack gap="xs">
      <div>
        <Text size="sm" fw={500}>
          {t('userImport.rolesInstead')}
        </Text>
        <Text size="sm" c="dimmed">
          {t('userImport.rolesInsteadHint')}
        </Text>
      </div>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        {names.map((name) => (
          <NativeSelect
            key={name}
            label={isolated(name)}
            data={choices}
            value={valueOf(settings.roles[name])}
            onChange={({ currentTarget }) => choose(name, currentTarget.value)}
          />
        ))}
      </SimpleGrid>
    </Stack>
  )
}

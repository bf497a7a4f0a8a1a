import { NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core'
import { isolated } from '../../isolate.ts'
import { useTranslation } from '../../translation.ts'
import type { Draft, NamedRole, ImportSettings } from './drafts.ts'

interface UnknownRolesProps {
  drafts: Draft[]
  settings: ImportSettings
  roles: NamedRole[]
  onChange: (settings: ImportSettings) => void
}

const leftOut = 'none'

const valueOf = (chosen: number | null | undefined): string =>
  chosen === null ? leftOut : chosen === undefined ? '' : String(chosen)

/** Selects a role of the tenant for each unknown name in the file. */
export const UnknownRoles = ({ drafts, settings, roles, onChange }: UnknownRolesProps) => {
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

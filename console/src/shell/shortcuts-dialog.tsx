import { Group, Kbd, Stack, Switch, Text } from '@mantine/core'
import { Table } from '../components/table.tsx'
import { useTranslation } from '../translation.ts'
import { Dialog } from '../components/dialog.tsx'
import { paletteKeys, useOpenablePages } from './nav-pages.ts'
import { useShortcutsOn } from './use-shortcuts.ts'

const Keys = ({ keys }: { keys: readonly string[] }) => (
  <Group gap={4} justify="flex-end">
    {keys.map((key) => (
      <Kbd key={key} size="xs">
        {key}
      </Kbd>
    ))}
  </Group>
)

/** Lists the keyboard shortcuts. A switch disables those of single letters. */
export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const [isOn, setOn] = useShortcutsOn()
  const shortcuts = [
    { label: t('shell.openPalette'), keys: paletteKeys },
    { label: t('shell.searchPage'), keys: ['/'] },
    { label: t('shell.shortcuts'), keys: ['?'] },
    ...useOpenablePages().map(({ title, key }) => ({ label: t(title), keys: ['g', key] })),
  ]
  return (
    <Dialog opened onClose={onClose} title={t('shell.shortcuts')}>
      <Stack>
        <Table aria-label={t('shell.shortcuts')}>
          <Table.Tbody>
            {shortcuts.map(({ label, keys }) => (
              <Table.Tr key={label}>
                <Table.Th scope="row" fw={400}>
                  <Text size="sm">{label}</Text>
                </Table.Th>
                <Table.Td>
                  <Keys keys={keys} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          label={t('shell.letters')}
          description={t('shell.lettersHint')}
          checked={isOn}
          onChange={({ currentTarget }) => setOn(currentTarget.checked)}
        />
      </Stack>
    </Dialog>
  )
}

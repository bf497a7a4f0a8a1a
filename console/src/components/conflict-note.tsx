import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useTranslation } from '../translation.ts'
import type { Conflicts } from './use-conflicts.ts'

interface ConflictNoteProps extends Conflicts {
  labels: Record<string, string>
}

/** Shows both values of each field that another user changed meanwhile, and asks which value to keep. */
export const ConflictNote = ({ conflicts, labels, takeTheirs, keepMine }: ConflictNoteProps) => {
  const { t } = useTranslation()
  if (conflicts.length === 0) return null
  return (
    <Alert color="yellow" role="alert" icon={<IconUsers />} title={t('common.conflictTitle')}>
      <Stack gap="sm">
        {conflicts.map(({ field, theirs, mine }) => (
          <Stack key={field} gap={4}>
            <Text size="sm" className="breakable">
              {t('common.conflict', { field: labels[field], theirs: theirs || '–', mine: mine || '–' })}
            </Text>
            <Group gap="xs">
              <Button size="xs" variant="default" onClick={() => takeTheirs(field)}>
                {t('common.takeTheirs')}
              </Button>
              <Button size="xs" variant="default" onClick={() => keepMine(field)}>
                {t('common.keepMine')}
              </Button>
            </Group>
          </Stack>
        ))}
      </Stack>
    </Alert>
  )
}

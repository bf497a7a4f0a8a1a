import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from '../../translation.ts'
import type { ImportState } from './use-import.ts'

export const ImportProgress = ({ state, onStop }: { state: ImportState; onStop: () => void }) => {
  const { t } = useTranslation()
  const { results, total } = state
  const said = t('common.progress', { done: results.size, total })
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" className="numbers" role="status">
          {said}
        </Text>
        <Button size="xs" variant="default" onClick={onStop}>
          {t('common.stop')}
        </Button>
      </Group>
      <Progress value={(100 * results.size) / total} aria-label={said} />
      <Text size="sm" c="dimmed">
        {t('userImport.stayHere')}
      </Text>
    </Stack>
  )
}

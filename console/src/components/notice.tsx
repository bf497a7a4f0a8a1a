import { Button, Group, Text } from '@mantine/core'

export interface NoticeAction {
  label: string
  run: () => void
}

export const Notice = ({ message, action }: { message: string; action: NoticeAction }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <Text size="sm" className="breakable">
      {message}
    </Text>
    <Button size="compact-sm" variant="default" onClick={action.run} style={{ flexShrink: 0 }}>
      {action.label}
    </Button>
  </Group>
)

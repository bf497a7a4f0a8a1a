import { Card, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface PanelProps {
  title: string
  hint: string
  control?: ReactNode
  children: ReactNode
}

export const Panel = ({ title, hint, control, children }: PanelProps) => (
  <Card withBorder padding="lg" h="100%">
    <Group justify="space-between" align="flex-start" gap="sm" mb="md">
      <div>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text size="sm" c="dimmed" mih={20}>
          {hint}
        </Text>
      </div>
      {control}
    </Group>
    {children}
  </Card>
)

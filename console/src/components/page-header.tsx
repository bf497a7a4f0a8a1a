import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface PageHeaderProps {
  title: string
  description?: string
  /** Buttons of the page as a whole, the main one last. */
  actions?: ReactNode
  /** Before the title: what stands for a picture. */
  lead?: ReactNode
  /** Beside the title: badges. */
  marks?: ReactNode
}

export const PageHeader = ({ title, description, actions, lead, marks }: PageHeaderProps) => (
  <Group justify="space-between" align="flex-end" mb="lg" gap="sm">
    <Group wrap="nowrap" gap="sm" miw={0}>
      {lead}
      <Stack gap={2} miw={0}>
        <Group gap="xs">
          <Title order={1} size="h2" className="breakable">
            {title}
          </Title>
          {marks}
        </Group>
        {description && (
          <Text c="dimmed" className="breakable">
            {description}
          </Text>
        )}
      </Stack>
    </Group>
    {actions && <Group gap="xs">{actions}</Group>}
  </Group>
)

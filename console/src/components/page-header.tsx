import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNameOfPage } from './window-title.ts'

interface PageHeaderProps {
  title: string
  description?: string
  actions?: ReactNode
  /** Shown before the title, such as initials. */
  lead?: ReactNode
  marks?: ReactNode
}

export const PageHeader = ({ title, description, actions, lead, marks }: PageHeaderProps) => {
  useNameOfPage(title)
  return (
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
}

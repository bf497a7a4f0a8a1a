import { Card, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionCardProps {
  title: string
  hint?: ReactNode
  children: ReactNode
}

export const SectionCard = ({ title, hint, children }: SectionCardProps) => (
  <Card withBorder padding="lg" component="section" aria-label={title}>
    <Title order={2} size="h4" mb={hint ? 0 : 'md'}>
      {title}
    </Title>
    {hint && (
      <Text size="sm" c="dimmed" mb="md">
        {hint}
      </Text>
    )}
    {children}
  </Card>
)

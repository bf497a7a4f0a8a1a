import { EmptyState, Title } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface NothingThereProps {
  title: string
  text: string
  /** The way back. */
  children: ReactNode
}

/** The page in the place of one that does not exist. */
export const NothingThere = ({ title, text, children }: NothingThereProps) => (
  <EmptyState
    py={96}
    icon={<IconMapQuestion size={40} stroke={1.5} />}
    title={
      <Title order={1} size="h3">
        {title}
      </Title>
    }
    description={text}
  >
    <EmptyState.Actions>{children}</EmptyState.Actions>
  </EmptyState>
)

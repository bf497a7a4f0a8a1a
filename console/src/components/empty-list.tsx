import { EmptyState, Paper } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ListNews, type News } from './list-news.tsx'

/** Explains why a list has no rows, and offers the next action. */
export interface Empty {
  title: string
  description?: string
  action?: ReactNode
}

interface EmptyListProps extends Empty {
  news?: News | undefined
}

/** In place of the table. */
export const EmptyList = ({ title, description, action, news }: EmptyListProps) => (
  <Paper withBorder>
    <EmptyState
      py="xl"
      icon={<IconListSearch size={32} stroke={1.5} />}
      title={title}
      description={description}
    >
      {action}
      {news && <ListNews news={news} />}
    </EmptyState>
  </Paper>
)

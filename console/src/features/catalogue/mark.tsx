import { Badge } from '@mantine/core'

export const Mark = ({ children, title }: { children: string; title?: string }) => (
  <Badge size="sm" variant="default" tt="none" fw={500} title={title}>
    {children}
  </Badge>
)

import { Code, ScrollArea } from '@mantine/core'

export const JsonView = ({ value, label }: { value: unknown; label: string }) => (
  <ScrollArea.Autosize mah={320} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
    <Code block>{JSON.stringify(value, undefined, 2)}</Code>
  </ScrollArea.Autosize>
)

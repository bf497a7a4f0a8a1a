import { Box, Code } from '@mantine/core'

export const JsonView = ({ value, label }: { value: unknown; label: string }) => (
  <Box className="json-view" tabIndex={0} role="region" aria-label={label}>
    <Code block className="whole">
      {JSON.stringify(value, undefined, 2)}
    </Code>
  </Box>
)

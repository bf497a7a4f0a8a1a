import { Text } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface PreviewFigureProps {
  caption: string
  children: ReactNode
}

/** A picture of the effect of a setting. Its frame shows that it takes no input. */
export const PreviewFigure = ({ caption, children }: PreviewFigureProps) => (
  <figure className="preview" aria-label={caption}>
    <Text size="xs" c="dimmed" fw={500} aria-hidden>
      <IconEye size={16} stroke={1.5} /> {caption}
    </Text>
    <div className="preview-picture">{children}</div>
  </figure>
)

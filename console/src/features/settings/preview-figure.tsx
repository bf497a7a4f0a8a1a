import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface PreviewFigureProps {
  caption: string
  className?: string
  children: ReactNode
}

/** A sample of the effect of a setting, below its name. */
export const PreviewFigure = ({ caption, className, children }: PreviewFigureProps) => (
  <figure className={className} aria-label={caption}>
    <Text size="xs" c="dimmed" aria-hidden>
      {caption}
    </Text>
    {children}
  </figure>
)

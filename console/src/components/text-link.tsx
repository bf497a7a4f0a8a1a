import { Anchor, type AnchorProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type TextLinkProps = AnchorProps & Omit<ComponentProps<'a'>, keyof AnchorProps>

/** An `Anchor` with type-checked routes and parameters. */
export const TextLink = createLink((props: TextLinkProps) => <Anchor {...props} />)

/** The name of a row's resource, on one line. The link covers its whole row. */
export const RowLink = createLink(({ children, ...props }: TextLinkProps & { children: string }) => (
  <Anchor display="block" size="sm" fw={500} className="cut row-link" title={children} {...props}>
    {children}
  </Anchor>
))

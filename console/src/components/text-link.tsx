import { Anchor, type AnchorProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type TextLinkProps = AnchorProps & Omit<ComponentProps<'a'>, keyof AnchorProps>

/** An `Anchor` with type-checked routes and parameters. */
export const TextLink = createLink((props: TextLinkProps) => <Anchor {...props} />)

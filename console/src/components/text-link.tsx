import { Anchor, type AnchorProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type TextLinkProps = AnchorProps & Omit<ComponentProps<'a'>, keyof AnchorProps>

/** A link within the console: an `Anchor` that knows the routes and their parameters. */
export const TextLink = createLink((props: TextLinkProps) => <Anchor {...props} />)

import { Anchor, type AnchorProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type TextLinkProps = AnchorProps & Omit<ComponentProps<'a'>, keyof AnchorProps>

/** A link within the console that looks like one: an `Anchor` that knows the routes and what they take. */
export const TextLink = createLink((props: TextLinkProps) => <Anchor {...props} />)

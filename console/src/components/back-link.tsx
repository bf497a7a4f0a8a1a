import { IconChevronLeft } from '@tabler/icons-react'
import { TextLink } from './text-link.tsx'

/** From a page to the list it belongs to. */
export const BackLink = ({ to, children }: { to: '/users' | '/roles'; children: string }) => (
  <TextLink to={to} size="sm" c="dimmed" className="back">
    <IconChevronLeft size={14} />
    {children}
  </TextLink>
)

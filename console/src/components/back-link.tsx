import { IconChevronLeft } from '@tabler/icons-react'
import { TextLink } from './text-link.tsx'

interface BackLinkProps {
  to:
    | '/applications'
    | '/connections'
    | '/flags'
    | '/users'
    | '/roles'
    | '/catalogue'
    | '/service-accounts'
    | '/tenants'
    | '/webhooks'
  search?: { tab?: 'templates' }
  children: string
}

export const BackLink = ({ to, search = {}, children }: BackLinkProps) => (
  <TextLink to={to} search={search} size="sm" c="dimmed" className="back">
    <IconChevronLeft size={14} />
    {children}
  </TextLink>
)

import { IconChevronLeft } from '@tabler/icons-react'
import { TextLink } from './text-link.tsx'

/** The pages that list resources. */
export type ListPath =
  | '/applications'
  | '/connections'
  | '/flags'
  | '/users'
  | '/roles'
  | '/reviews'
  | '/approvals'
  | '/providers'
  | '/catalogue'
  | '/service-accounts'
  | '/support'
  | '/tenants'
  | '/webhooks'

export interface BackLinkProps {
  to: ListPath
  search?: { tab?: 'templates' }
  children: string
}

export const BackLink = ({ to, search = {}, children }: BackLinkProps) => (
  <TextLink to={to} search={search} size="sm" c="dimmed" className="back">
    <IconChevronLeft size={14} />
    {children}
  </TextLink>
)

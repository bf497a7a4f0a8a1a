import type { Approval, ApprovalPolicy } from '@tenantry/client'
import { pageSearch, type PageSearch } from '../../components/page-search.ts'

export type Status = Approval['status']
export type Operation = ApprovalPolicy['operation']

export const statuses: readonly Status[] = ['pending', 'approved', 'done', 'rejected', 'cancelled', 'expired']

/** Without a status, the requests that wait for a decision. */
export interface ApprovalsSearch extends PageSearch {
  tab?: 'policies' | undefined
  status?: Exclude<Status, 'pending'> | 'all' | undefined
}

const chosen = ['all', ...statuses.filter((one) => one !== 'pending')] as const

export const approvalsSearch = (raw: Record<string, unknown>): ApprovalsSearch => {
  const status = chosen.find((one) => one === raw['status'])
  return {
    ...pageSearch(raw),
    ...(raw['tab'] === 'policies' && { tab: 'policies' as const }),
    ...(status && { status }),
  }
}

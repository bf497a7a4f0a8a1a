import { pageSearch, type PageSearch } from '../../components/page-search.ts'

export const connectionTabs = ['people', 'groups', 'directory', 'attempts'] as const
export type ConnectionTab = (typeof connectionTabs)[number]

/** The steps after the first, which creates the draft. */
export const laterSteps = [2, 3] as const
export type LaterStep = (typeof laterSteps)[number]

/** The page number is that of the attempts. */
export interface ConnectionSearch extends PageSearch {
  /** The open tab. If absent, the first tab. */
  tab?: ConnectionTab | undefined
  /** The step of a draft. If absent, the second step. */
  step?: LaterStep | undefined
}

export const connectionSearch = (raw: Record<string, unknown>): ConnectionSearch => ({
  ...pageSearch(raw),
  ...(connectionTabs.includes(raw['tab'] as ConnectionTab) ? { tab: raw['tab'] as ConnectionTab } : {}),
  ...(laterSteps.includes(raw['step'] as LaterStep) ? { step: raw['step'] as LaterStep } : {}),
})

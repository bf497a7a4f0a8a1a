const tabs = ['security', 'sessions', 'preferences'] as const
export type ProfileTab = (typeof tabs)[number]

/** The account if absent. */
export interface ProfileSearch {
  tab?: ProfileTab | undefined
}

export const profileSearch = ({ tab }: Record<string, unknown>): ProfileSearch => {
  const found = tabs.find((one) => one === tab)
  return found ? { tab: found } : {}
}

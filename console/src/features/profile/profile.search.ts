const tabs = ['security', 'sessions', 'preferences'] as const
export type ProfileTab = (typeof tabs)[number]

/** The open tab. If absent, the account. */
export interface ProfileSearch {
  tab?: ProfileTab | undefined
}

export const profileSearch = ({ tab }: Record<string, unknown>): ProfileSearch => {
  const found = tabs.find((one) => one === tab)
  return found ? { tab: found } : {}
}

import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'

interface PageTabsProps<Tab extends string> {
  tab: Tab
  /** The titles, in order. A tab without a title is hidden from the caller. */
  titles: Partial<Record<Tab, string | false>>
  label?: string
  onChange: (tab: Tab) => void
  /** The content of the open tab. */
  children: ReactNode
}

/** The tabs of a page. The URL names the open tab. */
export const PageTabs = <Tab extends string>(props: PageTabsProps<Tab>) => {
  const { tab, titles, label, onChange, children } = props
  return (
    <Tabs value={tab} keepMounted={false} onChange={(chosen) => onChange(chosen as Tab)}>
      <Tabs.List mb="lg" aria-label={label}>
        {Object.entries<string | false | undefined>(titles).map(
          ([value, title]) =>
            title && (
              <Tabs.Tab key={value} value={value}>
                {title}
              </Tabs.Tab>
            ),
        )}
      </Tabs.List>
      <Tabs.Panel value={tab}>{children}</Tabs.Panel>
    </Tabs>
  )
}

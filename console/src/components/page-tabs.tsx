import { Tabs } from '@mantine/core'
import { useLayoutEffect, useRef, type ReactNode } from 'react'

interface PageTabsProps<Tab extends string> {
  tab: Tab
  /** The titles, in order. A tab without a title is hidden from the caller. */
  titles: Partial<Record<Tab, string | false>>
  label?: string
  onChange: (tab: Tab) => void
  /** The content of the open tab. */
  children: ReactNode
}

/** Brings the open tab into sight, where the tabs scroll. */
const useOpenTab = (at: number) => {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const open = list.current?.children[at]
    if (!list.current || !(open instanceof HTMLElement)) return
    list.current.scrollLeft = open.offsetLeft - (list.current.clientWidth - open.offsetWidth) / 2
  }, [at])
  return list
}

/** The tabs of a page. The URL names the open tab. */
export const PageTabs = <Tab extends string>(props: PageTabsProps<Tab>) => {
  const { tab, titles, label, onChange, children } = props
  const shown = Object.entries<string | false | undefined>(titles).filter(([, title]) => title)
  const list = useOpenTab(shown.findIndex(([value]) => value === tab))
  return (
    <Tabs value={tab} keepMounted={false} onChange={(chosen) => onChange(chosen as Tab)}>
      <Tabs.List ref={list} mb="lg" aria-label={label}>
        {shown.map(([value, title]) => (
          <Tabs.Tab key={value} value={value}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab}>{children}</Tabs.Panel>
    </Tabs>
  )
}

import '@mantine/spotlight/styles.css'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useSearchState } from '../components/use-user-search.ts'
import { useTranslation } from '../translation.ts'
import { useHits, type HitsOptions } from './palette-hits.ts'
import type { WindowName } from './windows.tsx'

const [store, spotlight] = createSpotlight()

interface PaletteProps {
  onWindow: (name: WindowName) => void
}

/** Searches pages, actions and data (Ctrl/⌘ K). Opens when mounted. */
export const Palette = ({ onWindow }: PaletteProps) => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [isOfTenants, setOfTenants] = useState(false)
  const onTenants = (): void => {
    setTyped('')
    setOfTenants(true)
  }
  useEffect(() => spotlight.open(), [])
  return (
    <Spotlight.Root
      store={store}
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      scrollable
      maxHeight={420}
      clearQueryOnClose
      attributes={{ content: { 'aria-label': t('shell.search') } }}
    >
      <Spotlight.Search
        placeholder={t(isOfTenants ? 'shell.searchTenants' : 'shell.searchHint')}
        aria-label={t('shell.search')}
        leftSection={<IconSearch size={20} stroke={1.5} />}
      />
      <Spotlight.ActionsList>
        <HitList text={typed.trim()} {...{ isOfTenants, onWindow, onTenants }} />
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/** Mantine's store cannot select a hit. Its Enter key clicks the hit that has this attribute. */
const mark = 'data-selected'

const selectFirst = (): void => {
  const [first, ...others] = document.querySelectorAll('[data-action]')
  for (const other of others) other.removeAttribute(mark)
  first?.setAttribute(mark, 'true')
  store.updateState((state) => ({ ...state, selected: first ? 0 : -1 }))
}

/** Enter opens the first hit, also a late one, unless the user has chosen another hit. */
const useFirstHit = (text: string, hits: number): void => {
  const searched = useRef<string>(undefined)
  useEffect(() => {
    const isChosen = document.querySelector(`[data-action][${mark}]`) !== null
    if (hits === 0 || (isChosen && searched.current === text)) return undefined
    searched.current = text
    // A moment after the text changes, Mantine itself selects a hit.
    const timer = setTimeout(selectFirst)
    return () => clearTimeout(timer)
  }, [text, hits])
}

interface HitListProps extends HitsOptions {
  text: string
}

const HitList = ({ text, ...options }: HitListProps) => {
  const { t } = useTranslation()
  const stateOf = useSearchState()
  const groups = useHits(text, options)
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  const isPending = groups.some((group) => group.isPending)
  const said = stateOf(
    { isPending, error: groups.find(({ error }) => error)?.error },
    count === 0 ? t('shell.nothing') : undefined,
  )
  useFirstHit(text, count)
  return (
    <>
      {groups.map(({ label, items }) => (
        <Spotlight.ActionsGroup key={label} label={label}>
          {items.map(({ key, icon: Icon, run, ...texts }) => (
            <Spotlight.Action
              key={key}
              leftSection={<Icon size={20} stroke={1.5} />}
              onClick={run}
              {...texts}
            />
          ))}
        </Spotlight.ActionsGroup>
      ))}
      {said !== undefined && <Spotlight.Empty role="status">{said}</Spotlight.Empty>}
    </>
  )
}

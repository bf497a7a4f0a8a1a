import '@mantine/spotlight/styles.css'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useSearchState } from '../components/use-user-search.ts'
import { useTranslation } from '../translation.ts'
import type { Hit } from './palette-actions.ts'
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
      xOffset="0.5rem"
      clearQueryOnClose
      attributes={{ content: { 'aria-label': t('shell.search') } }}
    >
      <Finder text={typed.trim()} {...{ isOfTenants, onWindow, onTenants }} />
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

/** The id of the selected hit. */
const readSelected = (): string | undefined => document.querySelector(`[data-action][${mark}]`)?.id

/** Mantine's store does not report a selection. */
const watchMark = (onChange: () => void): (() => void) => {
  const observer = new MutationObserver(onChange)
  observer.observe(document.body, { subtree: true, attributeFilter: [mark] })
  return () => observer.disconnect()
}

const useSelected = (): string | undefined => useSyncExternalStore(watchMark, readSelected)

const listId = 'hits'

interface FinderProps extends HitsOptions {
  text: string
}

const Finder = ({ text, ...options }: FinderProps) => {
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
  const selected = useSelected()
  return (
    <>
      <Spotlight.Search
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={count > 0}
        aria-controls={listId}
        aria-activedescendant={count === 0 ? undefined : selected}
        placeholder={t(options.isOfTenants ? 'shell.searchTenants' : 'shell.searchHint')}
        aria-label={t('shell.search')}
        leftSection={<IconSearch size={20} stroke={1.5} />}
      />
      <Spotlight.ActionsList>
        <div id={listId} role="listbox" aria-label={t('shell.search')}>
          {groups.map((group, nth) => (
            <HitGroup key={group.label} {...group} id={`${listId}-${nth}`} selected={selected} />
          ))}
        </div>
        {said !== undefined && <Spotlight.Empty role="status">{said}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </>
  )
}

interface HitGroupProps {
  id: string
  label: string
  items: Hit[]
  selected: string | undefined
}

const HitGroup = ({ id: groupId, label, items, selected }: HitGroupProps) => (
  <Spotlight.ActionsGroup role="group" label={label} aria-label={label}>
    {items.map(({ key, icon: Icon, run, ...texts }) => {
      const id = `${groupId}-${key}`
      return (
        <Spotlight.Action
          key={key}
          role="option"
          aria-selected={id === selected}
          // Mantine drops the property `id`.
          ref={(element) => element?.setAttribute('id', id)}
          leftSection={<Icon size={20} stroke={1.5} />}
          onClick={run}
          {...texts}
        />
      )
    })}
  </Spotlight.ActionsGroup>
)

import { ComboboxChevron, TextInput, type TextInputProps } from '@mantine/core'
import { useState, type ComponentType } from 'react'
import { lazyPart } from './lazy-part.tsx'

interface Asked {
  /** True if the person has just reached the field: it then takes the focus and opens its list. */
  isAsked: boolean
}

/**
 * A field with a list to choose from. Its code is a tenth of the page. It is fetched when the pointer or the
 * focus reaches the field, or when the field has a value. `look` is the empty field until then.
 */
export const lazyChoice = <Props extends object>(
  load: () => Promise<ComponentType<Props & Asked>>,
  look: (props: Props) => TextInputProps,
  isEmpty: (props: Props) => boolean,
) => {
  const closed = (props: Props): TextInputProps => ({
    role: 'combobox',
    'aria-haspopup': 'listbox',
    'aria-expanded': false,
    readOnly: true,
    rightSection: <ComboboxChevron />,
    rightSectionPointerEvents: 'none',
    ...look(props),
  })
  const Part = lazyPart(load, (props: Props & Asked) => <TextInput {...closed(props)} />)
  const fetchEarly = (): void => void load().catch(() => undefined)
  const LazyChoice = (props: Props) => {
    const [isAsked, setAsked] = useState(false)
    const [wasEmpty] = useState(isEmpty(props))
    if (isAsked || !wasEmpty || !isEmpty(props)) return <Part {...props} isAsked={isAsked} />
    return <TextInput {...closed(props)} onFocus={() => setAsked(true)} onPointerEnter={fetchEarly} />
  }
  return LazyChoice
}

import {
  cloneElement,
  useState,
  type ComponentType,
  type HTMLAttributes,
  type ReactElement,
  type Ref,
} from 'react'
import { lazyPart } from './lazy-part.tsx'

export type PopupButton = ReactElement<HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLButtonElement> }>

interface WithButton {
  children: PopupButton
}

/**
 * A menu or list that a button opens. It is fetched when the pointer or the focus reaches the button: the code that
 * places popups would be a tenth of each page. The part must open itself when it mounts.
 */
export const lazyPopup = <Props extends object>(
  kind: 'dialog' | 'listbox' | 'menu',
  load: () => Promise<ComponentType<Props & WithButton>>,
) => {
  const Part = lazyPart(load, ({ children }: Props & WithButton) => children)
  const fetchEarly = (): void => void load().catch(() => undefined)
  const LazyPopup = (props: Props & WithButton) => {
    const [isAsked, setAsked] = useState(false)
    if (isAsked) return <Part {...props} />
    return cloneElement(props.children, {
      'aria-haspopup': kind,
      'aria-expanded': false,
      onClick: () => setAsked(true),
      onPointerEnter: fetchEarly,
      onFocus: fetchEarly,
    })
  }
  return LazyPopup
}

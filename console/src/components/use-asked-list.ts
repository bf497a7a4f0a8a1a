import { useDisclosure } from '@mantine/hooks'
import { useEffect, useState } from 'react'

/** The list is rendered after its field, and then registers its id. One frame later the field knows it. */
const useListKnown = (): boolean => {
  const [isKnown, setKnown] = useState(false)
  useEffect(() => {
    const frame = requestAnimationFrame(() => setKnown(true))
    return () => cancelAnimationFrame(frame)
  }, [])
  return isKnown
}

/**
 * Opens the list of a field that the person has just reached (`lazyChoice`), once the field knows the list. Before, it
 * could not name the open list to screen readers.
 */
export const useAskedList = (isAsked: boolean) => {
  const [isOpen, { open, close }] = useDisclosure(isAsked)
  const dropdownOpened = useListKnown() && isOpen
  return { autoFocus: isAsked, dropdownOpened, onDropdownOpen: open, onDropdownClose: close }
}

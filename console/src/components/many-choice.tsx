import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'

/** Selects several options. The list closes after each choice, because it covers the buttons of the form. */
export const ManyChoice = (props: MultiSelectProps) => {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <MultiSelect
      // The list itself scrolls. A scroll area around it would add another tab stop.
      withScrollArea={false}
      styles={{ options: { maxHeight: 280, overflowY: 'auto' } }}
      {...props}
      dropdownOpened={isOpen}
      onDropdownOpen={open}
      onDropdownClose={close}
      onOptionSubmit={close}
    />
  )
}

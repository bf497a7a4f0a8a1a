import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'

/** Chooses several of a list. The list closes with each choice, since it covers the buttons of the form. */
export const ManyChoice = (props: MultiSelectProps) => {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <MultiSelect
      // The list itself scrolls: a frame around it would be one more stop for the keyboard.
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

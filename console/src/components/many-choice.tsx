import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'

/** Selects several options. The list covers the form below it, so a choice closes it, and a paste that chooses. */
export const ManyChoice = (props: MultiSelectProps) => {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <MultiSelect
      {...props}
      dropdownOpened={isOpen}
      onDropdownOpen={open}
      onDropdownClose={close}
      onOptionSubmit={close}
      onPaste={(event) => {
        props.onPaste?.(event)
        if (event.isDefaultPrevented()) close()
      }}
    />
  )
}

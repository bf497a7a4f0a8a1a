import { Select, type SelectProps } from '@mantine/core'

/** A list of options, which the user finds by typing. */
export const Choice = ({ isAsked, ...select }: SelectProps & { isAsked: boolean }) => (
  <Select searchable autoFocus={isAsked} defaultDropdownOpened={isAsked} {...select} />
)

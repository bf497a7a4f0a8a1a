import { Select, type SelectProps } from '@mantine/core'
import { useAskedList } from './use-asked-list.ts'

/** A list of options, which the user finds by typing. */
export const Choice = ({ isAsked, ...select }: SelectProps & { isAsked: boolean }) => (
  <Select searchable {...useAskedList(isAsked)} {...select} />
)

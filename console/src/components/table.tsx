import { Box, type BoxProps } from '@mantine/core'
import type { ComponentProps } from 'react'

type Props<Tag extends 'table' | 'thead' | 'tbody' | 'tr' | 'th' | 'td'> = BoxProps & ComponentProps<Tag>

interface TableProps extends Props<'table'> {
  /** Without lines between rows. */
  isPlain?: boolean
}

const Whole = ({ isPlain, className, ...props }: TableProps) => (
  <Box
    component="table"
    role="table"
    {...props}
    className={['table', isPlain && 'plain', className].filter(Boolean).join(' ')}
  />
)

/**
 * Replaces Mantine's table, whose scroll area and code for popups would add 20 kB to each page. On a phone, a list is no
 * table to CSS: its roles keep it one to screen readers.
 */
export const Table = Object.assign(Whole, {
  Thead: (props: Props<'thead'>) => <Box component="thead" role="rowgroup" {...props} />,
  Tbody: (props: Props<'tbody'>) => <Box component="tbody" role="rowgroup" {...props} />,
  Tr: (props: Props<'tr'>) => <Box component="tr" role="row" {...props} />,
  Th: (props: Props<'th'>) => <Box component="th" {...props} />,
  Td: (props: Props<'td'>) => <Box component="td" role="cell" {...props} />,
})

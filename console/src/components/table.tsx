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
    {...props}
    className={['table', isPlain && 'plain', className].filter(Boolean).join(' ')}
  />
)

/** Replaces Mantine's table, whose scroll area and code for popups would add 20 kB to each page. */
export const Table = Object.assign(Whole, {
  Thead: (props: Props<'thead'>) => <Box component="thead" {...props} />,
  Tbody: (props: Props<'tbody'>) => <Box component="tbody" {...props} />,
  Tr: (props: Props<'tr'>) => <Box component="tr" {...props} />,
  Th: (props: Props<'th'>) => <Box component="th" {...props} />,
  Td: (props: Props<'td'>) => <Box component="td" {...props} />,
})

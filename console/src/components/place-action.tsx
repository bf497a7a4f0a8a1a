import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Rows } from './table-model.ts'

/**
 * The place of the button that creates rows: an empty list has it, and else the header. Until the list is known, the
 * header keeps its room, because a moving button could not be clicked.
 */
export const placeAction = (rows: Rows<unknown>, isFiltered: boolean, action: ReactNode) => {
  const { data, error, isPlaceholderData } = rows
  const isVacant = !isFiltered && !isPlaceholderData && data?.total === 0
  const isKnown = data !== undefined || error !== null
  const inHeader = isKnown ? action : action && <Box style={{ visibility: 'hidden' }}>{action}</Box>
  return { isVacant, inHeader: !isVacant && inHeader }
}

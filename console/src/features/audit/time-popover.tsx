import { Popover } from '@mantine/core'
import { cloneElement, useState } from 'react'
import type { PopupButton } from '../../components/lazy-popup.tsx'
import type { Range } from './audit.search.ts'
import { TimeChoice } from './time-choice.tsx'

interface TimePopoverProps {
  range: Range
  onChange: (range: Range) => void
  children: PopupButton
}

/** Opens when it mounts, and on each further click on its button. */
export const TimePopover = ({ range, onChange, children }: TimePopoverProps) => {
  const [isOpen, setOpen] = useState(true)
  const choose = (chosen: Range): void => {
    setOpen(false)
    onChange(chosen)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>{cloneElement(children, { onClick: () => setOpen(!isOpen) })}</Popover.Target>
      {/* A phone on its side is lower than the calendar. */}
      <Popover.Dropdown mah="calc(100dvh - 5rem)" style={{ overflowY: 'auto' }}>
        <TimeChoice range={range} onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  )
}

import { useEffect, useRef, type FocusEvent, type KeyboardEvent } from 'react'

const directions: Partial<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** The next checkbox in a direction. Skips disabled ones and the rows between modules. */
const neighbour = (from: HTMLElement, [down, right]: readonly [number, number]): HTMLElement | undefined => {
  const cell = from.closest('td')
  const row = cell?.closest('tr')
  if (!cell || !row) return undefined
  const rows = [...(row.closest('table')?.rows ?? [])]
  const line = right === 0 ? rows.map(({ cells }) => cells[cell.cellIndex]) : [...row.cells]
  const at = line.indexOf(cell)
  const ahead = down + right > 0 ? line.slice(at + 1) : line.slice(0, at).toReversed()
  const boxes = ahead.map((one) => one?.querySelector<HTMLInputElement>('input:enabled'))
  return boxes.find((box) => box instanceof HTMLInputElement)
}

/**
 * Arrow keys move between the checkboxes of a table. Tab leaves the table, because it may have hundreds of
 * checkboxes. Only the DOM stores the checkbox that Tab enters, so that moving renders nothing.
 */
export const useCellKeys = () => {
  const table = useRef<HTMLTableElement>(null)
  useEffect(() => {
    if (table.current?.querySelector('input[tabindex="0"]:enabled')) return
    table.current?.querySelector('input:enabled')?.setAttribute('tabindex', '0')
  })
  const onFocus = ({ target }: FocusEvent<HTMLElement>): void => {
    if (!(target instanceof HTMLInputElement)) return
    table.current?.querySelector('input[tabindex="0"]')?.setAttribute('tabindex', '-1')
    target.setAttribute('tabindex', '0')
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const direction = directions[event.key]
    if (!direction || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    neighbour(event.target, direction)?.focus()
  }
  return { ref: table, onFocus, onKeyDown }
}

/** A ref for a refusal: in a window with a long form it could appear below the fold. */
export const inSight = (element: HTMLElement | null): void => {
  if (element?.closest('[role=dialog]')) element.scrollIntoView({ block: 'nearest' })
}

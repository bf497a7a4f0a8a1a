export const resourceOf = (event: string): string => event.slice(0, event.indexOf('.'))

/** True if a webhook with the pattern sends the event. */
export const isCovered = (pattern: string, event: string): boolean =>
  ['*', event, `${resourceOf(event)}.*`].includes(pattern)

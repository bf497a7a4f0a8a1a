import { actions } from '../../audit/audit/actions.schemas.ts'

/** Whether a pattern (an action, a resource with `.*`, or `*`) names an action. */
const matches = (pattern: string, action: string): boolean =>
  pattern === '*' || pattern === action || (pattern.endsWith('.*') && action.startsWith(pattern.slice(0, -1)))

export const matchesOneOf = (patterns: string[], action: string): boolean =>
  patterns.some((pattern) => matches(pattern, action))

/** The known actions that the patterns name. Undefined if they name all actions. */
export const actionsOf = (patterns: string[]): string[] | undefined => {
  const named = actions.filter((action) => matchesOneOf(patterns, action))
  return named.length === actions.length ? undefined : named
}

/** The index of the first pattern that matches no known action; -1 if every pattern matches an action. */
export const unknownPattern = (patterns: string[]): number =>
  patterns.findIndex((pattern) => !actions.some((action) => matches(pattern, action)))

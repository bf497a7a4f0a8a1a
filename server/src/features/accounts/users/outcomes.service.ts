/** Changes of many users, each of which changes, stays or is refused by itself. */
import { AppError } from '../../../errors/app-error.ts'
import type { ChangedUsers } from './users.schemas.ts'

/** Every transaction locks users in this order. */
export const inOrder = (ids: number[]): number[] => ids.toSorted((one, other) => one - other)

/** The decision about one user. Undefined: nothing changes. */
type Decision<Change> = Change | AppError | undefined

export const allowedOf = <Change extends object>(decisions: Decision<Change>[]): Change[] =>
  decisions.filter((one): one is Change => one !== undefined && !(one instanceof AppError))

/** The answer, of the users and their decisions in the same order. */
export const changedUsers = (ids: number[], decisions: Decision<object>[]): ChangedUsers => ({
  results: ids.map((id, index) => {
    const decision = decisions[index]
    if (decision === undefined) return { user_id: id, status: 'unchanged', error: null }
    if (!(decision instanceof AppError)) return { user_id: id, status: 'changed', error: null }
    const { code, message } = decision
    return { user_id: id, status: 'refused', error: { code, message, field: '' } }
  }),
})

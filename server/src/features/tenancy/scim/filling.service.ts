/** The attributes of users that a directory fills. */
import type { TransactionCtx } from '../../../context.ts'
import type { Detail } from '../../audit/audit/audit.service.ts'
import { fillFromDirectory, type ReadPath } from '../../configuration/attributes/filling.service.ts'
import { valueAt } from './texts.ts'
import { partsOfUser, type UserParts } from './user-values.ts'

const readerOf = (value: UserParts | undefined): ReadPath => {
  const raw = value ? partsOfUser(value) : {}
  return (path) => valueAt(raw, path)
}

/** The resource of a push, and the one before, if the user had one. */
export interface Pushed<Value extends UserParts = UserParts> {
  before?: Value
  after: Value
}

/** Fills the attributes of a locked user from a resource. Returns the detail of the record. */
export const fillAttributes = (
  ctx: TransactionCtx,
  userId: number,
  { before, after }: Pushed,
): Promise<Detail> => fillFromDirectory(ctx, userId, { before: readerOf(before), after: readerOf(after) })

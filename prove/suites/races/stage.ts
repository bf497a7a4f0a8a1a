import { assign } from '../../attack.ts'
import { newTenant, newUser, roleId, type Session } from '../../../lab/client.ts'
import type { Target } from '../../target.ts'

/** A tenant with administrators that work against each other. */
export interface Stage {
  target: Target
  root: Session
  tenant: string
  adminRole: number
  admins: Session[]
}

const adminCount = 8

export const openStage = async (target: Target): Promise<Stage> => {
  const { root } = target
  const { id: tenant, admin } = await newTenant(root)
  const adminRole = await roleId(root, tenant, 'admin')
  const admins = [admin]
  while (admins.length < adminCount) {
    const user = await newUser(root, tenant)
    await assign(root, tenant, user.userId, adminRole)
    admins.push(user)
  }
  return { target, root, tenant, adminRole, admins }
}

/** Returns the first element. Throws when the list is empty. */
export const only = <T>([first]: T[]): T => {
  if (first === undefined) throw new Error('the list is empty')
  return first
}

/** Returns the n-th administrator, modulo their number. */
export const adminAt = ({ admins }: Stage, n: number): Session => admins[n % admins.length] ?? only(admins)

/** Sorted statuses: their order does not matter. */
export const statusesOf = (answers: { status: number }[]): string =>
  answers
    .map(({ status }) => status)
    .toSorted((a, b) => a - b)
    .join()

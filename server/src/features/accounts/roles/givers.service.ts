/** The names of those who gave roles. */
import { inTenant, type Ctx } from '../../../context.ts'
import { selectNames } from './assignments.store.ts'

/** The giver of a role. `home` is the giver's tenant if it is not the tenant in scope, which cannot read the name. */
interface Giver {
  id: number
  home: string | null
}

/** Looks up the names of givers of other tenants. Returns a function that finds one; "" for a removed giver. */
export const namesElsewhere = async (
  ctx: Ctx,
  givers: Giver[],
): Promise<(id: number, home: string) => string> => {
  const names = new Map<string, string>()
  for (const home of new Set(givers.flatMap((giver) => giver.home ?? []))) {
    const ids = givers.flatMap((giver) => (giver.home === home ? giver.id : []))
    for (const { id, username } of await selectNames(inTenant(ctx, home).db, home, ids)) {
      names.set(`${home} ${id}`, username)
    }
  }
  return (id, home) => names.get(`${home} ${id}`) ?? ''
}

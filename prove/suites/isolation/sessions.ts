import { patiently } from '../../attack.ts'
import { newUser, ok, signIn, type Session } from '../../../lab/client.ts'
import type { World } from './world.ts'

interface Shown {
  id: string
  is_current: boolean
}

const idsIn = (sessions: Shown[]): string =>
  sessions
    .map(({ id }) => id)
    .toSorted()
    .join()

/** Lists of sessions show those of one person, for the person and for an administrator alike. */
export const proveSessions = async ({ root, home }: World): Promise<string> => {
  const user = await newUser(root, home.id)
  const others = [await newUser(root, home.id), home.admin]
  const again = await signIn(root.base, user.email, user.password)
  const own = async (by: Session) => ok(await patiently(() => by.call('GET', '/auth/sessions'))) as Shown[]
  const path = `/users/${user.userId}/sessions`
  const told = ok(await patiently(() => home.admin.call('GET', path))) as Shown[]
  const [first, second] = [await own(user), await own(again)]
  if (first.length !== 2) throw new Error(`a person with 2 sessions sees ${first.length}`)
  if (idsIn(first) !== idsIn(second) || idsIn(first) !== idsIn(told)) {
    throw new Error('the person and the administrator see different sessions')
  }
  for (const other of others) {
    const seen = await own(other)
    if (seen.some(({ id }) => first.some((one) => one.id === id))) {
      throw new Error('a list shows the session of another person')
    }
  }
  return `${first.length} sessions, seen only by the person and an administrator`
}

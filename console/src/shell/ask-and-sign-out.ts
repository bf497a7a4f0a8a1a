import { mayLeave } from '../components/unsaved-work.ts'
import { signOut } from '../session/client.ts'

/** Asks about unsaved work first, because it cannot be saved without a session. */
export const askAndSignOut = async (): Promise<void> => {
  if (await mayLeave()) await signOut()
}

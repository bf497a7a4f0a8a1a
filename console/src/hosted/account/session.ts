import { beginSignIn, type SignInHints } from '../../session/sign-in.ts'
import { createStore } from '../../store.ts'

/** Signs in, and then returns to this page. */
export const beginHere = (hints: SignInHints = {}): Promise<never> =>
  beginSignIn({ path: location.pathname + location.search }, hints)

/** True once the page shows something of the person. */
let isShown = false

/** True after another tab or the service has ended the session of a page that is shown. */
export const sessionEnded = createStore(false)

export const noteShown = (): void => {
  isShown = true
}

/** A page that shows nothing yet signs in at once: the browser's sign-in may open another session. */
export const endSession = (): Promise<never> | void => (isShown ? sessionEnded.set(true) : beginHere())

import '../hosted.css'
import './account.css'
import { StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from '../../i18n.ts'
import { client, onSignedOut } from '../../session/client.ts'
import { finishSignIn, leaveTo } from '../../session/sign-in.ts'
import { applyScheme } from '../scheme.ts'
import { AccountPage, SignInFailed } from './account-page.tsx'
import { beginHere, endSession } from './session.ts'

/** A session has begun or ended. Another person, or another tenant of the person, needs a new page. */
const leave = async (reason?: 'left' | 'deleted'): Promise<void> => {
  if (await client.auth.session()) return location.reload()
  if (reason !== undefined) return leaveTo(`/sign-in#${reason === 'left' ? 'signed-out' : reason}`)
  return endSession()
}

onSignedOut((reason) => void leave(reason))

/** The end of a sign-in: its code opens the session. */
const finish = async (): Promise<ReactNode> => {
  const page = await finishSignIn(new URLSearchParams(location.search)).catch(() => undefined)
  return page ? leaveTo(page.path) : <SignInFailed />
}

const choosePage = async (): Promise<ReactNode> => {
  if (location.pathname === '/account/signed-in') return finish()
  const session = await client.auth.session()
  return session ? <AccountPage session={session} /> : beginHere()
}

const start = async (): Promise<void> => {
  applyScheme()
  await startI18n('ownAccount')
  const root = document.getElementById('root')
  if (root) createRoot(root).render(<StrictMode>{await choosePage()}</StrictMode>)
}

// The browser can restore a page whose session has ended since.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

void start()

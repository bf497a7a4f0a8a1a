import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { lazyPart } from '../components/lazy-part.tsx'
import { loadPage } from '../i18n.ts'

const loadUsers = loadPage(['access'], () => import('../features/users/users.views.tsx'))
const loadInvitations = loadPage(['access'], () => import('../features/invitations/invitations.views.tsx'))
const loadWebhooks = loadPage(['developers'], () => import('../features/webhooks/create-webhook.views.tsx'))

const windows = {
  createUser: lazyPart(async () => (await loadUsers()).CreateUserDialog),
  createWebhook: lazyPart(async () => (await loadWebhooks()).CreateWebhookDialog),
  invite: lazyPart(async () => (await loadInvitations()).InviteDialog),
  whatsNew: lazyPart(async () => (await import('./whats-new-dialog.tsx')).WhatsNewDialog),
  shortcuts: lazyPart(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog),
}

export type WindowName = keyof typeof windows

/** A window over any page. It closes when the user opens another page. */
export const useWindow = () => {
  const pathname = useLocation({ select: (location) => location.pathname })
  const [asked, setAsked] = useState<{ name: WindowName; pathname: string }>()
  const Window = asked?.pathname === pathname ? windows[asked.name] : undefined
  return {
    open: (name: WindowName): void => setAsked({ name, pathname }),
    element: Window && <Window onClose={() => setAsked(undefined)} />,
  }
}

import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { lazyPart } from '../components/lazy-part.tsx'
import { loadPage } from '../i18n.ts'
import { askedStatus } from '../session/asked-status.ts'
import { askedWindow } from '../session/asked-window.ts'
import { refusedChange } from '../session/refused-change.ts'

const loadUsers = loadPage(['access'], () => import('../features/users/users.views.tsx'))
const loadInvitations = loadPage(
  ['access', 'invitations'],
  () => import('../features/invitations/invitations.views.tsx'),
)
const loadWebhooks = loadPage(
  ['audit', 'developers'],
  () => import('../features/webhooks/create-webhook.views.tsx'),
)

const loadNews = loadPage(['news'], () => import('./whats-new-dialog.tsx'))
const loadExport = loadPage(
  ['access', 'attributes'],
  () => import('../features/users/export-users.views.tsx'),
)
const loadRole = loadPage(['access'], () => import('../features/roles/role-dialogs.views.tsx'))
const loadAccount = loadPage(
  ['access', 'developers'],
  () => import('../features/service-accounts/account-dialogs.views.tsx'),
)
const loadApplication = loadPage(
  ['developers'],
  () => import('../features/applications/create-application.views.tsx'),
)
const loadFlag = loadPage(['developers'], () => import('../features/flags/flag-dialogs.views.tsx'))

const loadElevation = loadPage(['roleEnds'], () => import('./elevation-window.tsx'))

const loadApproval = loadPage(['approvals'], () => import('../features/approvals/ask-approval.views.tsx'))
const AskApproval = lazyPart(async () => (await loadApproval()).AskApproval)

/** Asks for approval of a change that any part of the page reported as refused. */
export const RefusedChangeWindow = () => {
  const error = refusedChange.useValue()
  return error && <AskApproval error={error} onClose={() => refusedChange.set(undefined)} />
}

const loadStatus = loadPage(['access'], () => import('../features/users/confirm-status.views.tsx'))
const ConfirmStatus = lazyPart(async () => (await loadStatus()).ConfirmStatus)

/** Asks about the user whom the palette enables or disables. */
export const AskedStatusWindow = () => {
  const asked = askedStatus.useValue()
  return asked && <ConfirmStatus {...asked} onClose={() => askedStatus.set(undefined)} />
}

const windows = {
  createUser: lazyPart(async () => (await loadUsers()).CreateUserDialog),
  createApplication: lazyPart(async () => (await loadApplication()).CreateApplicationDialog),
  createFlag: lazyPart(async () => (await loadFlag()).CreateFlagDialog),
  createRole: lazyPart(async () => (await loadRole()).CreateRole),
  createServiceAccount: lazyPart(async () => (await loadAccount()).CreateAccountDialog),
  exportUsers: lazyPart(async () => (await loadExport()).ExportAllUsers),
  createWebhook: lazyPart(async () => (await loadWebhooks()).CreateWebhookDialog),
  invite: lazyPart(async () => (await loadInvitations()).InviteDialog),
  whatsNew: lazyPart(async () => (await loadNews()).WhatsNewDialog),
  elevation: lazyPart(async () => (await loadElevation()).ElevationWindow),
  shortcuts: lazyPart(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog),
}

export type WindowName = keyof typeof windows

const OneWindow = ({ name, onClose }: { name: WindowName; onClose: () => void }) => {
  const Window = windows[name]
  return <Window onClose={onClose} />
}

/** The window of a first step, over the page that the step leads to. */
export const AskedWindow = () => {
  const asked = askedWindow.useValue()
  return asked && <OneWindow name={asked} onClose={() => askedWindow.set(undefined)} />
}

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

import { IconUser, IconUserCheck, IconUserOff, IconUsers } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { User } from '@tenantry/client'
import { useUserSearch, type SearchResult } from '../components/use-user-search.ts'
import { nameOf } from '../format.ts'
import { askedStatus } from '../session/asked-status.ts'
import { useMe } from '../session/me.ts'
import { useTranslation } from '../translation.ts'
import type { Hit } from './palette-actions.ts'

const foundMax = 6

/** The most found users whose actions are offered to a text without a verb. */
const actedMax = 2

const actions = [
  { status: 0, title: 'userStatus.disable', icon: IconUserOff },
  { status: 1, title: 'userStatus.enable', icon: IconUserCheck },
] as const

/** Chinese has no space behind a verb. */
const behindVerb = (text: string, verb: string): string | undefined => {
  const rest = text.slice(verb.length)
  const isSeparate = /^\s/.test(rest) || /\p{Script=Han}$/u.test(verb)
  return text.toLowerCase().startsWith(verb.toLowerCase()) && isSeparate ? rest.trim() : undefined
}

/** The name in a text such as "Disable Ada", and the status for which its verb asks. */
const useAsked = (text: string): { name: string; status?: 0 | 1 } => {
  const { t } = useTranslation()
  for (const { title, status } of actions) {
    const name = behindVerb(text, t(title, { name: '' }).trim())
    if (name) return { name, status }
  }
  return { name: text }
}

/** The hit that changes the status of a user. Empty for callers who may not, and for themselves. */
const useStatusHit = () => {
  const { t } = useTranslation()
  const { user: own, can } = useMe()
  return (user: User): Hit[] => {
    if (!can('user:update') || user.id === own.id) return []
    return actions
      .filter(({ status }) => status !== user.status)
      .map(({ status, title, icon }) => ({
        key: `status-${user.id}`,
        label: t(title, { name: nameOf(user) }),
        icon,
        run: () => askedStatus.set({ user, status }),
      }))
  }
}

const useProfileHit = () => {
  const navigate = useNavigate()
  return (user: User): Hit => ({
    key: String(user.id),
    label: nameOf(user),
    description: user.email,
    icon: IconUser,
    run: () => void navigate({ to: '/users/$userId', params: { userId: String(user.id) } }),
  })
}

/** Each found user. Few of them, and those behind a verb, come with a change of their status. */
export const useUserHits = (text: string): SearchResult<Hit> => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { name, status } = useAsked(text)
  const { items, ...state } = useUserSearch(name, foundMax)
  const [statusHit, profileHit] = [useStatusHit(), useProfileHit()]
  const isFew = items.length <= actedMax
  const hitsOf = (user: User): Hit[] => {
    if (status === undefined) return [profileHit(user), ...(isFew ? statusHit(user) : [])]
    return [...(user.status === status ? [] : statusHit(user)), profileHit(user)]
  }
  const all: Hit = {
    key: 'all',
    label: t('shell.allUsers', { text: name }),
    icon: IconUsers,
    run: () => void navigate({ to: '/users', search: { search: name } }),
  }
  const hits = items.flatMap(hitsOf)
  return { items: items.length < foundMax ? hits : [...hits, all], ...state }
}

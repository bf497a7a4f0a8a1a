import { List, Text } from '@mantine/core'
import { version } from '../../package.json'
import type { PermissionCode } from '@tenantry/client'
import { useEffect, useEffectEvent } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { TextLink } from '../components/text-link.tsx'
import { useMe } from '../session/me.ts'
import { useTranslation, type TextKey } from '../translation.ts'
import type { OwnPage } from './nav-pages.ts'
import { useWhatsNew } from './whats-new.tsx'

interface News {
  text: TextKey
  needs?: PermissionCode
  page?: Pick<OwnPage, 'to' | 'title'>
}

/** The news in their order. Those without a permission are for every user. */
const news: News[] = [
  { text: 'news.tenants', needs: 'tenant:create', page: { to: '/tenants', title: 'places.tenants' } },
  { text: 'news.flags', needs: 'flag:manage', page: { to: '/flags', title: 'places.flags' } },
  { text: 'news.directory', needs: 'sso:manage', page: { to: '/connections', title: 'places.connections' } },
  { text: 'news.ends', needs: 'role:assign', page: { to: '/roles', title: 'places.roles' } },
  { text: 'news.invite', needs: 'user:create', page: { to: '/users', title: 'places.users' } },
  { text: 'news.audit', needs: 'audit:read', page: { to: '/audit', title: 'places.audit' } },
  { text: 'news.reviews', needs: 'review:read', page: { to: '/reviews', title: 'places.reviews' } },
  { text: 'news.approvals', needs: 'approval:read', page: { to: '/approvals', title: 'places.approvals' } },
  { text: 'news.webhooks', needs: 'webhook:read', page: { to: '/webhooks', title: 'places.webhooks' } },
  { text: 'news.import', needs: 'user:create', page: { to: '/users', title: 'places.users' } },
  { text: 'news.passkeys' },
  { text: 'news.assistants' },
  { text: 'news.devices' },
  { text: 'news.keyboard' },
  { text: 'news.look' },
]

const shownMax = 5

/** The news that concern the user. Opening it removes the mark from the menu. */
export const WhatsNewDialog = ({ onClose }: { onClose: () => void }) => {
  const { t, gap } = useTranslation()
  const { can } = useMe()
  const { see } = useWhatsNew()
  const seeOnce = useEffectEvent(see)
  useEffect(() => seeOnce(), [])
  const own = news.filter(({ needs }) => needs === undefined || can(needs)).slice(0, shownMax)
  return (
    <Dialog opened onClose={onClose} title={t('shell.whatsNew')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('shell.version', { version })}
      </Text>
      <List spacing="sm">
        {own.map(({ text, page }) => (
          <List.Item key={text}>
            {t(text)}
            {page && (
              <>
                {gap}
                <TextLink to={page.to} size="sm" onClick={onClose}>
                  {t(page.title)}
                </TextLink>
              </>
            )}
          </List.Item>
        ))}
      </List>
    </Dialog>
  )
}

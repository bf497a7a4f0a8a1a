import { List } from '@mantine/core'
import type { PermissionCode } from '@tenantry/client'
import { useEffect, useEffectEvent } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { useMe } from '../session/me.ts'
import { useTranslation, type TextKey } from '../translation.ts'
import { useWhatsNew } from './whats-new.tsx'

/** The news in their order. Those without a permission are for every user. */
const news: { text: TextKey; needs?: PermissionCode }[] = [
  { text: 'news.tenants', needs: 'tenant:create' },
  { text: 'news.flags', needs: 'flag:manage' },
  { text: 'news.directory', needs: 'sso:manage' },
  { text: 'news.ends', needs: 'role:assign' },
  { text: 'news.invite', needs: 'user:create' },
  { text: 'news.audit', needs: 'audit:read' },
  { text: 'news.reviews', needs: 'review:read' },
  { text: 'news.approvals', needs: 'approval:read' },
  { text: 'news.webhooks', needs: 'webhook:read' },
  { text: 'news.import', needs: 'user:create' },
  { text: 'news.passkeys' },
  { text: 'news.assistants' },
  { text: 'news.devices' },
  { text: 'news.keyboard' },
  { text: 'news.look' },
]

const shownMax = 5

/** The news that concern the user. Opening it removes the mark from the menu. */
export const WhatsNewDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { see } = useWhatsNew()
  const seeOnce = useEffectEvent(see)
  useEffect(() => seeOnce(), [])
  const own = news.filter(({ needs }) => needs === undefined || can(needs)).slice(0, shownMax)
  return (
    <Dialog opened onClose={onClose} title={t('shell.whatsNew')}>
      <List spacing="sm">
        {own.map(({ text }) => (
          <List.Item key={text}>{t(text)}</List.Item>
        ))}
      </List>
    </Dialog>
  )
}

import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { lazyPopup } from '../components/lazy-popup.tsx'
import { UserPicture } from '../components/user-picture.tsx'
import { useMe } from '../session/me.ts'
import { useTranslation } from '../translation.ts'
import { NewMark } from './new-mark.tsx'
import { useWhatsNew } from './whats-new.ts'
import type { WindowName } from './windows.tsx'

const Items = lazyPopup('menu', async () => (await import('./user-menu-items.tsx')).UserMenuItems)

export const UserMenu = ({ onWindow }: { onWindow: (name: WindowName) => void }) => {
  const { t } = useTranslation()
  const { user } = useMe()
  const { isUnseen } = useWhatsNew()
  return (
    <Items onWindow={onWindow}>
      <UnstyledButton className="round">
        <UserPicture user={user} size={34} />
        <VisuallyHidden>{t('shell.account')}</VisuallyHidden>
        {isUnseen && <NewMark />}
      </UnstyledButton>
    </Items>
  )
}

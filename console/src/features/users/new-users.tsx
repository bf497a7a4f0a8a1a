import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { lazyPart } from '../../components/lazy-part.tsx'

const windows = {
  create: lazyPart(async () => (await import('./create-user-dialog.tsx')).CreateUserDialog),
  invite: lazyPart(async () => (await import('../invitations/invitations.views.tsx')).InviteDialog),
}

/** Invites users, or creates one. An invited person chooses their own password. */
export const NewUsers = () => {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<keyof typeof windows>()
  const Window = asked && windows[asked]
  return (
    <>
      <Button variant="default" onClick={() => setAsked('create')}>
        {t('users.create')}
      </Button>
      <Button onClick={() => setAsked('invite')}>{t('invitations.invite')}</Button>
      {Window && <Window onClose={() => setAsked(undefined)} />}
    </>
  )
}

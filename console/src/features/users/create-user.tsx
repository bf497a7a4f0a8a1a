import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../components/lazy-part.tsx'

const CreateUserDialog = lazyPart(async () => (await import('./create-user-dialog.tsx')).CreateUserDialog)

export const CreateUser = () => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('users.create')}</Button>
      {isOpen && <CreateUserDialog onClose={() => setOpen(false)} />}
    </>
  )
}

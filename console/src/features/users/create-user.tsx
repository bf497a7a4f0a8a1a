import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog.tsx'

const CreateUserForm = lazy(async () => ({
  default: (await import('./create-user-form.tsx')).CreateUserForm,
}))

export const CreateUser = () => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('users.create')}</Button>
      <Dialog opened={isOpen} onClose={close} title={t('users.create')} closeOnClickOutside={false}>
        <Suspense>
          <CreateUserForm onDone={close} />
        </Suspense>
      </Dialog>
    </>
  )
}

import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { client, signInPending } from '../session/client.ts'
import { useMe } from '../session/me.ts'
import { useTranslation } from '../translation.ts'

/** Runs after another window has signed the same person in, which changes localStorage. */
const useOtherWindows = (onSignedIn: () => Promise<void>): void => {
  const { user } = useMe()
  useEffect(() => {
    const look = async (): Promise<void> => {
      if ((await client.auth.session())?.userId === user.id) await onSignedIn()
    }
    const onStorage = (): void => void look()
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  })
}

/** Opens the sign-in in a window of its own, so that this page keeps its typed text. */
const useOpen = () => {
  const router = useRouter()
  const { user, tenant } = useMe()
  return (): void => {
    const search = { window: true, prompt: 'login', login_hint: user.email, tenant: tenant.id } as const
    const { publicHref } = router.buildLocation({ to: '/sign-in', search })
    open(publicHref, 'tenantry-sign-in', 'popup,width=480,height=760')
  }
}

/** Covers a page whose session has ended. Its typed text stays, and the page continues after the sign-in. */
export const SignInAgain = () => {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { email } = useMe().user
  const openWindow = useOpen()
  useOtherWindows(async () => {
    signInPending.set(false)
    await queries.invalidateQueries()
  })
  return (
    <Dialog
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      overlayProps={{ backgroundOpacity: 0.6, blur: 6 }}
      title={t('signIn.again')}
    >
      <Stack>
        <Text size="sm">{t('signIn.againText')}</Text>
        <TextInput label={t('fields.email')} type="email" readOnly value={email} />
        <Button data-autofocus onClick={openWindow}>
          {t('signIn.againWindow')}
        </Button>
        <Leave />
      </Stack>
    </Dialog>
  )
}

/** A button for another person, who does not need the typed text. */
const Leave = () => {
  const { t } = useTranslation()
  const router = useRouter()
  const leave = (): void =>
    void router.navigate({ to: '/sign-in', reloadDocument: true, ignoreBlocker: true })
  return (
    <Anchor component="button" type="button" size="sm" ta="center" underline="always" onClick={leave}>
      {t('signIn.discard')}
    </Anchor>
  )
}

import { Button, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router'
import { ApiError } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { client, signOut } from '../../session/client.ts'
import { meQuery } from '../../session/me.ts'
import { DeadLink } from './dead-link.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { EntryMessage } from './entry-message.tsx'
import { dropToken, isLinkDead } from './link-token.ts'

const route = getRouteApi('/verify-email')

const comeBack = { next: '/verify-email' }

interface ConfirmProps {
  token: string
  onDone: () => void
}

const useVerifying = ({ token, onDone }: ConfirmProps) => {
  const queries = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: () => client.auth.verifyEmail({ token }),
    onSuccess: () => {
      dropToken('/verify-email')
      // The link may have changed the address.
      queries.removeQueries({ queryKey: meQuery.queryKey })
      onDone()
      // A restricted session gets an unrestricted access token; it would come with the next refresh anyway.
      void client.auth.refresh().catch(() => undefined)
      return router.invalidate()
    },
  })
}

const Confirm = (props: ConfirmProps) => {
  const { t } = useTranslation()
  const { mutate, isPending, error } = useVerifying(props)
  if (isLinkDead(error)) return <DeadVerification />
  return (
    <>
      {error && <ErrorPanel error={error} />}
      {error instanceof ApiError && error.reason === 'linkOfAnother' ? (
        <OtherAccount />
      ) : (
        <>
          <Text c="dimmed">{t('recovery.verifyHint')}</Text>
          <Button fullWidth loading={isPending} onClick={() => mutate()}>
            {t('recovery.verifySubmit')}
          </Button>
        </>
      )}
    </>
  )
}

/** The link stays alive, and its token in this tab. */
const OtherAccount = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const leave = async (): Promise<void> => {
    await signOut()
    await navigate({ to: '/sign-in', search: comeBack })
  }
  return (
    <Button fullWidth variant="default" onClick={() => void leave()}>
      {t('recovery.otherAccount')}
    </Button>
  )
}

const Confirmed = () => {
  const { t } = useTranslation()
  return (
    <>
      <EntryMessage color="teal">{t('recovery.verified')}</EntryMessage>
      <Button component={Link} to="/">
        {t('common.home')}
      </Button>
    </>
  )
}

const DeadVerification = () => {
  const { t } = useTranslation()
  return (
    <DeadLink to="/profile" way={t('recovery.toProfile')}>
      {t('recovery.verifyDead')}
    </DeadLink>
  )
}

const SignInFirst = () => {
  const { t } = useTranslation()
  return (
    <>
      <Text c="dimmed">{t('recovery.signInFirst')}</Text>
      <Button renderRoot={(props: object) => <Link to="/sign-in" search={comeBack} {...props} />}>
        {t('signIn.title')}
      </Button>
    </>
  )
}

/** A page of a mailed link, which acts on a click: programs that check e-mails open links, too. */
export const VerifyEmailPage = () => {
  const { t } = useTranslation()
  const { token, isSignedIn } = route.useRouteContext()
  const [isDone, setDone] = useState(false)
  const withoutToken = isDone ? <Confirmed /> : <DeadVerification />
  const withToken = (held: string) =>
    isSignedIn ? <Confirm key={held} token={held} onDone={() => setDone(true)} /> : <SignInFirst />
  return (
    <EntryFrame title={t('signIn.verify')}>
      <Stack>{token === undefined ? withoutToken : withToken(token)}</Stack>
    </EntryFrame>
  )
}

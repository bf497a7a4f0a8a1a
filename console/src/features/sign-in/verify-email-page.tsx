import { Button, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router'
import { ApiError } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { send } from '../../hosted/send.ts'
import { client, signOut } from '../../session/client.ts'
import { meQuery } from '../../session/me.ts'
import { DeadLink } from './dead-link.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { EntryMessage } from './entry-message.tsx'
import { HomeButton, type Home } from './home-of-link.tsx'
import { dropToken, isLinkDead } from './link-token.ts'

const route = getRouteApi('/verify-email')

const comeBack = { next: '/verify-email' }

interface ConfirmProps {
  token: string
  /** Else the person may be signed in to an application with this browser. */
  isSignedIn: boolean
  onDone: () => void
}

const useVerifying = ({ token, isSignedIn, onDone }: ConfirmProps) => {
  const queries = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: () =>
      isSignedIn ? client.auth.verifyEmail({ token }) : send<null>('POST', '/oauth2/verify-email', { token }),
    onSuccess: () => {
      dropToken('/verify-email')
      // The link may have changed the address.
      queries.removeQueries({ queryKey: meQuery.queryKey })
      onDone()
      // A restricted session gets an unrestricted access token; it would come with the next refresh anyway.
      if (isSignedIn) void client.auth.refresh().catch(() => undefined)
      return router.invalidate()
    },
  })
}

/** Where the front door is shut, nobody is signed in to applications. */
const isNobodySignedIn = (error: unknown): boolean =>
  error instanceof ApiError && (error.reason === 'tokenInvalid' || error.reason === 'frontDoorShut')

const Confirm = (props: ConfirmProps) => {
  const { t } = useTranslation()
  const { mutate, isPending, error } = useVerifying(props)
  if (isLinkDead(error)) return <DeadVerification />
  if (isNobodySignedIn(error)) return <SignInFirst />
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

const Confirmed = ({ home }: { home: Home | undefined }) => {
  const { t } = useTranslation()
  return (
    <>
      <EntryMessage color="teal">{t('recovery.verified')}</EntryMessage>
      {home ? (
        <HomeButton home={home} />
      ) : (
        <Button component={Link} to="/">
          {t('common.home')}
        </Button>
      )}
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
  const { token, isSignedIn, home } = route.useRouteContext()
  // The router forgets the home with the token.
  const [done, setDone] = useState<{ home: Home | undefined }>()
  const withoutToken = done ? <Confirmed home={done.home} /> : <DeadVerification />
  return (
    <EntryFrame title={t('signIn.verify')}>
      <Stack>
        {token === undefined ? (
          withoutToken
        ) : (
          <Confirm key={token} {...{ token, isSignedIn }} onDone={() => setDone({ home })} />
        )}
      </Stack>
    </EntryFrame>
  )
}

import { Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { SecondStep as Step } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { signOut } from '../../session/client.ts'
import { AcceptForm, type InvitationLink } from './accept-form.tsx'
import { DeadLink } from './dead-link.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { EntryMessage } from './entry-message.tsx'
import { SecondStep } from './second-step.tsx'

const route = getRouteApi('/accept-invitation')

/** Leads into the tenant that the new session is for. */
const useEnter = () => {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (): Promise<void> => {
    // The former session of this browser was in another tenant.
    queries.clear()
    await navigate({ to: '/' })
  }
}

/** The link stays alive, and its token in this tab. */
const OtherSession = ({ link }: { link: InvitationLink }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const leave = async (): Promise<void> => {
    await signOut()
    await navigate({ to: '/accept-invitation' })
  }
  const addresses = { own: link.ownEmail, invited: link.invitation.email }
  return (
    <>
      <EntryMessage color="yellow">{t('invitations.otherSession', addresses)}</EntryMessage>
      <Button fullWidth onClick={() => void leave()}>
        {t('invitations.signOutAndGoOn')}
      </Button>
      <Button fullWidth variant="default" component={Link} to="/">
        {t('invitations.staySignedIn')}
      </Button>
    </>
  )
}

const DeadInvitation = () => {
  const { t } = useTranslation()
  return (
    <DeadLink to="/" way={t('common.home')}>
      {t('invitations.dead')}
    </DeadLink>
  )
}

interface Joined {
  tenant: string
  step: Step
}

/** The person belongs to the tenant already, and the link is spent. */
const Joining = ({ tenant, step }: Joined) => {
  const { t } = useTranslation()
  const enter = useEnter()
  const [isOver, setOver] = useState(false)
  return (
    <EntryFrame title={t(isOver ? 'signIn.accept' : 'factors.secondStep')}>
      {isOver ? (
        <Stack>
          <EntryMessage color="teal">{t('invitations.joined', { tenant })}</EntryMessage>
          <Button component={Link} to="/sign-in">
            {t('signIn.title')}
          </Button>
        </Stack>
      ) : (
        <SecondStep step={step} onSignedIn={enter} onBack={() => setOver(true)} />
      )}
    </EntryFrame>
  )
}

const isSameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const Invited = ({ link, onSecondStep }: { link: InvitationLink; onSecondStep: (step: Step) => void }) => {
  const { t } = useTranslation()
  const enter = useEnter()
  const [isDead, setDead] = useState(false)
  const { invitation, ownEmail } = link
  if (isDead) return <DeadInvitation />
  return (
    <>
      <Text className="breakable">{t('invitations.invites', { tenant: invitation.tenant.name })}</Text>
      {ownEmail === undefined || isSameAddress(ownEmail, invitation.email) ? (
        <AcceptForm {...{ link, onSecondStep }} onAccepted={enter} onDead={() => setDead(true)} />
      ) : (
        <OtherSession link={link} />
      )}
    </>
  )
}

/** A page of a mailed link, which acts on a click: programs that check e-mails open links, too. */
export const AcceptInvitationPage = () => {
  const { t } = useTranslation()
  const { link } = route.useRouteContext()
  const [joined, setJoined] = useState<Joined>()
  if (joined) return <Joining {...joined} />
  return (
    <EntryFrame title={t('signIn.accept')}>
      <Stack>
        {link ? (
          <Invited
            key={`${link.token} ${link.ownEmail}`}
            link={link}
            onSecondStep={(step) => setJoined({ tenant: link.invitation.tenant.name, step })}
          />
        ) : (
          <DeadInvitation />
        )}
      </Stack>
    </EntryFrame>
  )
}

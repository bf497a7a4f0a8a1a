import { Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { InvitationFound, SecondStep as Step } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { client } from '../../session/client.ts'
import { DeadLink } from './dead-link.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { EntryMessage } from './entry-message.tsx'
import { JoinForm, type JoinLink } from './join-form.tsx'
import { isOfAnother, Joining, OtherSession, useEnter } from './joining.tsx'

const route = getRouteApi('/accept-invitation')

const DeadInvitation = () => {
  const { t } = useTranslation()
  return (
    <DeadLink to="/" way={t('common.home')}>
      {t('invitations.dead')}
    </DeadLink>
  )
}

interface InvitedProps {
  link: JoinLink<InvitationFound>
  onSecondStep: (step: Step) => void
}

const Invited = ({ link, onSecondStep }: InvitedProps) => {
  const { t } = useTranslation()
  const enter = useEnter()
  const [isDead, setDead] = useState(false)
  const { found, ownEmail = '' } = link
  if (isDead) return <DeadInvitation />
  if (found.proof === 'none') {
    return <EntryMessage color="yellow">{t('errors.accountUnowned')}</EntryMessage>
  }
  const addresses = { own: ownEmail, invited: found.email }
  return (
    <>
      <Text className="breakable">{t('invitations.invites', { tenant: found.tenant.name })}</Text>
      {isOfAnother(link) ? (
        <OtherSession page="/accept-invitation" text={t('invitations.otherSession', addresses)} />
      ) : (
        <JoinForm
          {...{ link, onSecondStep }}
          page="/accept-invitation"
          send={(answer) => client.auth.acceptInvitation(answer)}
          submit={t('invitations.submit')}
          texts={{
            new: t('invitations.new'),
            password: t('invitations.password'),
            session: t('invitations.session'),
          }}
          onJoined={enter}
          onDead={() => setDead(true)}
        />
      )}
    </>
  )
}

/** A page of a mailed link, which acts on a click: programs that check e-mails open links, too. */
export const AcceptInvitationPage = () => {
  const { t } = useTranslation()
  const { link } = route.useRouteContext()
  const enter = useEnter()
  const [step, setStep] = useState<Step>()
  const title = t('signIn.accept')
  if (link && step) {
    const joined = t('invitations.joined', { tenant: link.found.tenant.name })
    return <Joining {...{ title, step, joined }} onSignedIn={enter} />
  }
  return (
    <EntryFrame title={title}>
      <Stack>
        {link ? (
          <Invited key={`${link.token} ${link.ownEmail}`} link={link} onSecondStep={setStep} />
        ) : (
          <DeadInvitation />
        )}
      </Stack>
    </EntryFrame>
  )
}

/** The parts of pages on which a person joins a tenant by a mailed link. */
import { Button, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { SecondStep as Step } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { signOut } from '../../session/client.ts'
import { EntryFrame } from './entry-frame.tsx'
import { EntryMessage } from './entry-message.tsx'
import { SecondStep } from './second-step.tsx'

/** Leads into the tenant that the new session is for. */
export const useEnter = () => {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (): Promise<void> => {
    // The former session of this browser was in another tenant.
    queries.clear()
    await navigate({ to: '/' })
  }
}

/** Whether this browser holds the session of another address. */
export const isOfAnother = ({
  found,
  ownEmail,
}: {
  found: { email: string }
  ownEmail: string | undefined
}) => ownEmail !== undefined && ownEmail.toLowerCase() !== found.email.toLowerCase()

/** The link stays alive, and its token in this tab. */
export const OtherSession = ({ page, text }: { page: '/accept-invitation' | '/sign-up'; text: string }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const leave = async (): Promise<void> => {
    await signOut()
    await navigate({ to: page })
  }
  return (
    <>
      <EntryMessage color="yellow">{text}</EntryMessage>
      <Button fullWidth onClick={() => void leave()}>
        {t('invitations.signOutAndGoOn')}
      </Button>
      <Button fullWidth variant="default" component={Link} to="/">
        {t('invitations.staySignedIn')}
      </Button>
    </>
  )
}

/** The second step of a person who belongs to the tenant already; the link is spent. */
interface JoiningProps {
  title: string
  joined: string
  step: Step
  onSignedIn: () => Promise<void>
}

export const Joining = ({ title, joined, step, onSignedIn }: JoiningProps) => {
  const { t } = useTranslation()
  const [isOver, setOver] = useState(false)
  return (
    <EntryFrame title={isOver ? title : t('factors.secondStep')}>
      {isOver ? (
        <Stack>
          <EntryMessage color="teal">{joined}</EntryMessage>
          <Button component={Link} to="/sign-in">
            {t('signIn.title')}
          </Button>
        </Stack>
      ) : (
        <SecondStep step={step} onSignedIn={onSignedIn} onBack={() => setOver(true)} />
      )}
    </EntryFrame>
  )
}

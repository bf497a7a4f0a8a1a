import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { EmailState } from '../../components/email-state.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { client } from '../../session/client.ts'
import { useAuthOptions, useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'

const ChangeEmail = lazyPart(async () => (await import('./change-email.tsx')).ChangeEmail)

export const EmailCard = () => {
  const { t } = useTranslation()
  const { email, email_confirmed: isConfirmed = false } = useMe().user
  const options = useAuthOptions()
  return (
    <SectionCard title={t('profile.email')} hint={t('profile.emailText')}>
      <Stack>
        <Group gap="xs">
          <Text className="breakable">{email}</Text>
          <EmailState isConfirmed={isConfirmed} />
        </Group>
        <Loaded query={options} height={36}>
          {({ mail }) =>
            mail ? (
              <EmailActions email={email} isConfirmed={isConfirmed} />
            ) : (
              <Text size="sm">{t('profile.emailFixed')}</Text>
            )
          }
        </Loaded>
      </Stack>
    </SectionCard>
  )
}

interface Sent {
  text: 'profile.changeSent' | 'profile.verificationSent'
  email: string
}

/** Changes the caller's e-mail, and mails the link that confirms it. */
const EmailActions = ({ email, isConfirmed }: { email: string; isConfirmed: boolean }) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [sent, setSent] = useState<Sent>()
  const sending = useMutation({
    mutationFn: () => client.auth.sendVerification(),
    onSuccess: () => setSent({ text: 'profile.verificationSent', email }),
  })
  return (
    <>
      {sending.error && <ErrorPanel error={sending.error} />}
      <Text size="sm" role="status" className="breakable" hidden={!sent}>
        {sent && t(sent.text, { email: sent.email })}
      </Text>
      <Group gap="sm">
        <Button variant="default" onClick={() => setOpen(true)}>
          {t('profile.changeEmail')}
        </Button>
        {!isConfirmed && (
          <Button variant="default" loading={sending.isPending} onClick={() => sending.mutate()}>
            {t('profile.sendVerification')}
          </Button>
        )}
      </Group>
      {isOpen && (
        <ChangeEmail
          onClose={() => setOpen(false)}
          onSent={(address) => setSent({ text: 'profile.changeSent', email: address })}
        />
      )}
    </>
  )
}

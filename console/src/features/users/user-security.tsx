import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Security, User } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { nameOf } from '../../format.ts'
import { loadPage } from '../../i18n.ts'
import { useAuthOptions, useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { FactorsOfUser } from '../factors/factors.views.tsx'

const Unlink = lazyPart(
  async () => (await loadPage(['access', 'sso'], () => import('../sso/unlink.views.tsx'))()).Unlink,
)

interface UserSecurityProps {
  user: User
  security: Security
  canChange: boolean
}

/** How a user signs in, with help for locked-out users. The caller's own factors and password are on the profile. */
export const UserSecurity = ({ user, security, canChange }: UserSecurityProps) => {
  const { t } = useTranslation()
  const isOwn = useMe().user.id === user.id
  return (
    <SectionCard title={t('users.security')}>
      <Stack>
        <FactorsOfUser user={user} factors={security.factors} canChange={canChange && !isOwn} />
        {isOwn ? (
          <TextLink to="/profile" size="sm" underline="always">
            {t('recovery.toProfile')}
          </TextLink>
        ) : (
          canChange && <PasswordReset user={user} />
        )}
        {security.connections.length > 0 && (
          <Linked user={user} connections={security.connections} canChange={canChange} />
        )}
      </Stack>
    </SectionCard>
  )
}

const useSendReset = ({ id, email }: User, onDone: () => void) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  return useMutation({
    mutationFn: () => api.users.sendPasswordReset(id),
    onSuccess: () => {
      onDone()
      notify(t('users.resetSent', { email }))
    },
  })
}

const PasswordReset = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const sending = useSendReset(user, () => setAsked(false))
  const hasMail = useAuthOptions().data?.mail
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" flex={1} miw={200}>
        {t(hasMail === false ? 'users.resetOff' : 'users.resetHint')}
      </Text>
      <Button size="xs" variant="default" disabled={!hasMail} onClick={() => setAsked(true)}>
        {t('users.sendReset')}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('users.resetTitle', { name: nameOf(user) })}
        confirm={t('users.sendReset')}
        color="indigo"
        {...mutationProps(sending)}
      >
        {t('users.resetText', { email: user.email })}
      </ConfirmModal>
    </Group>
  )
}

interface LinkedProps {
  user: User
  connections: Security['connections']
  canChange: boolean
}

/** The providers that know the user, with a button that unlinks them. */
const Linked = ({ user, connections, canChange }: LinkedProps) => {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const mayUnlink = useMe().can('sso:manage') && canChange
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" flex={1} miw={200} className="breakable">
        {t('users.linked', { connections: connections.map(({ name }) => name).join(', ') })}
      </Text>
      {mayUnlink && (
        <Button size="xs" variant="default" onClick={() => setAsked(true)}>
          {t('users.unlink')}
        </Button>
      )}
      {isAsked && <Unlink user={user} onClose={() => setAsked(false)} />}
    </Group>
  )
}

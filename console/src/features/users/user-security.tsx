import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import type { Security, User } from '@tenantry/client'
import { ConfirmButton } from '../../components/confirm-change.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { nameOf, useFormat } from '../../format.ts'
import { loadPage } from '../../i18n.ts'
import { accountPages } from '../../session/account-pages.ts'
import { useAuthOptions, useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { FactorsOfUser } from '../factors/factors.views.tsx'

const Unlink = lazyPart(
  async () => (await loadPage(['access', 'sso'], () => import('../sso/unlink.views.tsx'))()).Unlink,
)

interface UserSecurityProps {
  user: User
  security: Security
  canChange: boolean
}

/** How a user signs in, with help for users who cannot. The caller's own factors and password are on the profile. */
export const UserSecurity = ({ user, security, canChange }: UserSecurityProps) => {
  const { t } = useTranslation()
  const format = useFormat()
  const isOwn = useMe().user.id === user.id
  return (
    <SectionCard title={t('users.security')}>
      <Stack>
        <FactorsOfUser user={user} factors={security.factors} canChange={canChange && !isOwn} />
        {isOwn ? (
          <Anchor href={accountPages.signIn} size="sm" underline="always">
            {t('common.toFactors')}
          </Anchor>
        ) : (
          canChange && (
            <>
              {user.status === 1 && <PasswordReset user={user} />}
              <PasswordExpiry user={user} />
            </>
          )
        )}
        {security.directory && (
          <Text size="sm" className="breakable">
            {t('users.pushedBy', {
              name: security.directory.name,
              time: format.moment(security.directory.pushed_at),
            })}
          </Text>
        )}
        {security.connections.length > 0 && (
          <Linked user={user} connections={security.connections} canChange={canChange} />
        )}
      </Stack>
    </SectionCard>
  )
}

const PasswordReset = ({ user: { id, email, ...user } }: { user: User }) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const hasMail = useAuthOptions().data?.mail
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" flex={1} miw={200}>
        {t(hasMail === false ? 'users.resetOff' : 'users.resetHint')}
      </Text>
      {hasMail ? (
        <ConfirmButton
          size="xs"
          color="accent"
          title={t('users.resetTitle', { name: nameOf(user) })}
          confirm={t('users.sendReset')}
          send={() => api.users.sendPasswordReset(id)}
          done={t('users.resetSent', { email })}
        >
          {t('users.resetText', { email })}
        </ConfirmButton>
      ) : (
        <Button size="xs" variant="default" disabled>
          {t('users.sendReset')}
        </Button>
      )}
    </Group>
  )
}

const PasswordExpiry = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const name = nameOf(user)
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" flex={1} miw={200}>
        {t('users.requirePasswordHint')}
      </Text>
      <ConfirmButton
        size="xs"
        color="accent"
        title={t('users.requirePasswordTitle', { name })}
        confirm={t('users.requirePassword')}
        send={() => api.users.expirePassword(user.id)}
        done={t('users.requirePasswordDone', { name })}
      >
        {t('users.requirePasswordText')}
      </ConfirmButton>
    </Group>
  )
}

interface LinkedProps {
  user: User
  connections: Security['connections']
  canChange: boolean
}

/** The providers that are linked to the user, with a button that unlinks them. */
const Linked = ({ user, connections, canChange }: LinkedProps) => {
  const { t, comma } = useTranslation()
  const mayUnlink = useMe().can('sso:manage') && canChange
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" flex={1} miw={200} className="breakable">
        {t('users.linked', { connections: connections.map(({ name }) => name).join(comma) })}
      </Text>
      {mayUnlink && (
        <DialogButton size="xs" variant="default" label={t('users.unlink')}>
          {(onClose) => <Unlink user={user} onClose={onClose} />}
        </DialogButton>
      )}
    </Group>
  )
}

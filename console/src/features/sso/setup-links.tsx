import { Divider, Group, Stack, Text } from '@mantine/core'
import type { SetupLink } from '@tenantry/client'
import { Fragment } from 'react'
import { ConfirmButton } from '../../components/confirm-change.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useList } from '../../components/use-list.ts'
import { useFormat } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'

interface SetupLinksProps {
  links: SetupLink[]
  canChange: boolean
}

/** The open links by which people without an account set up the sign-in. */
export const SetupLinks = ({ links, canChange }: SetupLinksProps) => {
  const { t } = useTranslation()
  const open = links.filter(({ status }) => status === 'open')
  if (open.length === 0) return null
  return (
    <SectionCard title={t('setup.links')} hint={t('setup.linksHint')}>
      <Stack>
        {open.map((link, at) => (
          <Fragment key={link.id}>
            {at > 0 && <Divider />}
            <OneLink link={link} canChange={canChange} />
          </Fragment>
        ))}
      </Stack>
    </SectionCard>
  )
}

const OneLink = ({ link, canChange }: { link: SetupLink; canChange: boolean }) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const format = useFormat()
  const listOf = useList()
  const { id, email, parts, expires_at: end, last_used_at: used } = link
  const names = listOf(parts.map((part) => t(`setupParts.${part}`)))
  return (
    <Group justify="space-between" gap="sm" role="group" aria-label={email}>
      <Stack gap={2} miw={0} flex={1}>
        <Text size="sm" fw={500} className="breakable">
          {email}
        </Text>
        <Text size="sm" c="dimmed">
          {t('setup.until', { parts: names, end: format.moment(end) })}
        </Text>
        <Text size="sm" c="dimmed">
          {used === '' ? t('setup.unused') : t('setup.used', { at: format.moment(used) })}
        </Text>
      </Stack>
      {canChange && (
        <ConfirmButton
          isDeletion
          size="xs"
          label={t('setup.revokeOf', { email })}
          title={t('setup.revokeTitle', { email })}
          confirm={t('setup.revoke')}
          send={() => api.sso.revokeSetupLink(id)}
          done={t('setup.revoked')}
        >
          {t('setup.revokeText')}
        </ConfirmButton>
      )}
    </Group>
  )
}

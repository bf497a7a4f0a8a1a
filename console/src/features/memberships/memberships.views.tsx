import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Membership } from '@tenantry/client'
import { useState } from 'react'
import { DialogButton } from '../../components/dialog-button.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { isOpenMembership, membershipsQuery, useAuthOptions } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'

const LeaveTenant = lazyPart(async () => (await import('./account-dialogs.tsx')).LeaveTenant)
const CreateOrganization = lazyPart(async () => (await import('./account-dialogs.tsx')).CreateOrganization)
const ExportAccount = lazyPart(async () => (await import('./account-dialogs.tsx')).ExportAccount)
const DeleteAccount = lazyPart(async () => (await import('./account-dialogs.tsx')).DeleteAccount)

export const MembershipsCard = () => {
  const { t } = useTranslation()
  const memberships = useQuery(membershipsQuery)
  const { data } = memberships
  return (
    <SectionCard
      title={t('memberships.title')}
      hint={t(data?.length === 1 ? 'memberships.only' : 'memberships.text')}
    >
      <Loaded query={memberships} height={80}>
        {(all) => <MembershipList memberships={all} />}
      </Loaded>
      <OwnOrganization username={data?.find((one) => one.is_current)?.username ?? ''} />
    </SectionCard>
  )
}

/** Shown if the installation lets people create organizations. */
const OwnOrganization = ({ username }: { username: string }) => {
  const { t } = useTranslation()
  const { data: options } = useAuthOptions()
  if (options?.sign_up !== 'organization') return null
  return (
    <DialogButton variant="default" style={{ alignSelf: 'flex-start' }} label={t('signUp.own')}>
      {(onClose) => <CreateOrganization username={username} onClose={onClose} />}
    </DialogButton>
  )
}

/** Only the end of the account ends the last membership, so a list of one membership has no button. */
const MembershipList = ({ memberships }: { memberships: Membership[] }) => {
  const { t } = useTranslation()
  const [left, setLeft] = useState<Membership>()
  return (
    <Stack
      gap="md"
      component="ul"
      aria-label={t('memberships.title')}
      m={0}
      p={0}
      style={{ listStyle: 'none' }}
    >
      {memberships.map((membership) => (
        <Group
          key={membership.tenant.id}
          component="li"
          justify="space-between"
          align="flex-start"
          gap="sm"
          wrap="nowrap"
        >
          <Facts membership={membership} />
          {memberships.length > 1 && (
            <Button
              size="xs"
              variant="default"
              flex="none"
              aria-label={t('memberships.leaveOne', { name: membership.tenant.name })}
              onClick={() => setLeft(membership)}
            >
              {t('memberships.leave')}
            </Button>
          )}
        </Group>
      ))}
      {left && (
        <LeaveTenant
          membership={left}
          next={memberships.find((one) => !one.is_current && isOpenMembership(one))}
          onClose={() => setLeft(undefined)}
        />
      )}
    </Stack>
  )
}

const Facts = ({ membership }: { membership: Membership }) => {
  const { t } = useTranslation()
  const { tenant, username, is_current: isCurrent } = membership
  return (
    <Stack gap={4} miw={0} align="flex-start">
      <Text size="sm" fw={500} className="breakable">
        {tenant.name}
      </Text>
      <Text size="sm" c="dimmed" className="breakable">
        {t('memberships.username', { username })}
      </Text>
      <Group gap="xs">
        <StatusBadge status={isOpenMembership(membership) ? 1 : 0} />
        {isCurrent && (
          <Badge variant="default" tt="none" fw={500}>
            {t('memberships.current')}
          </Badge>
        )}
      </Group>
    </Stack>
  )
}

export const ExportAccountCard = () => {
  const { t } = useTranslation()
  return (
    <SectionCard title={t('memberships.exportTitle')} hint={t('memberships.exportHint')}>
      <DialogButton
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        label={t('memberships.exportTitle')}
      >
        {(onClose) => <ExportAccount onClose={onClose} />}
      </DialogButton>
    </SectionCard>
  )
}

export const DeleteAccountCard = () => {
  const { t } = useTranslation()
  return (
    <SectionCard title={t('memberships.deleteAccount')} hint={t('memberships.deleteHint')}>
      <DialogButton
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        label={t('memberships.deleteAccount')}
      >
        {(onClose) => <DeleteAccount onClose={onClose} />}
      </DialogButton>
    </SectionCard>
  )
}

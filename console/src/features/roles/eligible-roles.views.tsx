import { ActionIcon, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { EligibleRole, Role } from '@tenantry/client'
import { useState } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useFormat } from '../../format.ts'
import { loadPage } from '../../i18n.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useRoleName } from '../../system-roles.ts'
import { useTranslation } from '../../translation.ts'
import type { RoleHolder } from './roles.views.tsx'
import { useRenew } from '../../components/use-renew.ts'

const loadDialog = loadPage(['access', 'roleEnds'], () => import('./make-eligible.tsx'))
const MakeEligible = lazyPart(async () => (await loadDialog()).MakeEligible)

interface EligibleRolesProps {
  user: RoleHolder
  /** The roles that the user holds. */
  held: Role[]
  canChange: boolean
}

/** The roles that a user is eligible for. Undefined while they load, and if the caller may not see them. */
const useEligible = (userId: number): EligibleRole[] | undefined => {
  const { api, tenantId } = useScope()
  const { user, can } = useMe()
  return useQuery({
    queryKey: ['users', tenantId, 'eligible', userId],
    queryFn: ({ signal }) => api.roles.eligible(userId, { signal }),
    enabled: userId === user.id || can('role:read'),
  }).data
}

/** The roles that a user may start for a time. Hidden for callers who may not see them. */
export const EligibleRoles = ({ user, held, canChange }: EligibleRolesProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const [isAdding, setAdding] = useState(false)
  const data = useEligible(user.id)
  const mayChange = canChange && can('role:assign') && can('role:read')
  if (!data || (data.length === 0 && !mayChange)) return null
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4">
        {t('roleEnds.eligible')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('roleEnds.eligibleText')}
      </Text>
      <Stack gap="sm">
        {data.map((one) => (
          <EligibleLine key={one.role.id} user={user} eligible={one} mayChange={mayChange} />
        ))}
        {mayChange && (
          <Group>
            <Button variant="default" onClick={() => setAdding(true)}>
              {t('roleEnds.makeEligible')}
            </Button>
          </Group>
        )}
      </Stack>
      {isAdding && <MakeEligible user={user} held={held} eligible={data} onClose={() => setAdding(false)} />}
    </Card>
  )
}

interface EligibleLineProps {
  user: RoleHolder
  eligible: EligibleRole
  mayChange: boolean
}

const EligibleLine = ({ user, eligible, mayChange }: EligibleLineProps) => {
  const { t, gap } = useTranslation()
  const { api } = useScope()
  const format = useFormat()
  const notify = useNotify()
  const renew = useRenew()
  const ending = useMutation({
    mutationFn: () => api.roles.endEligibility(user.id, eligible.role.id),
    onSuccess: async () => {
      notify(t('roleEnds.eligibilityEnded'))
      await renew()
    },
  })
  const role = useRoleName()(eligible.role.name)
  const label = t('roleEnds.endEligibility', { role })
  const facts = [
    t('roleEnds.atMost', { count: eligible.max_minutes }),
    eligible.expires_at !== '' && t('roleEnds.until', { time: format.moment(eligible.expires_at) }),
    eligible.given_by.name !== '' && t('roleEnds.byHand', { name: eligible.given_by.name }),
  ].filter((text) => text !== false)
  return (
    <>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={0} miw={0}>
          <Text size="sm" fw={500} className="breakable">
            {role}
          </Text>
          <Text size="xs" c="dimmed" className="breakable">
            {facts.join(gap)}
          </Text>
        </Stack>
        {mayChange && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={label}
            data-hint={label}
            loading={ending.isPending}
            onClick={() => ending.mutate()}
          >
            <IconX size={16} />
          </ActionIcon>
        )}
      </Group>
      {ending.isError && <ErrorPanel error={ending.error} />}
    </>
  )
}

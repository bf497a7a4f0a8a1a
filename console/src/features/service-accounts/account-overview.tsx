import { Alert, Card, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { ServiceAccount } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { MomentAndAgo } from '../../components/ago.tsx'
import { AccountKeys } from './account-keys.tsx'

interface AccountOverviewProps {
  account: ServiceAccount
  canChange: boolean
}

export const AccountOverview = ({ account, canChange }: AccountOverviewProps) => {
  const { t } = useTranslation()
  return (
    <Stack gap="lg">
      {account.status === 0 && <Alert color="gray">{t('serviceAccounts.disabledKeys')}</Alert>}
      <Facts account={account} />
      <AccountKeys accountId={account.id} canChange={canChange} />
    </Stack>
  )
}

const Facts = ({ account: { id, created_at, last_used_at } }: { account: ServiceAccount }) => {
  const { t } = useTranslation()
  const facts = [
    [t('serviceAccounts.lastUsed'), <MomentAndAgo key="used" at={last_used_at} />],
    [t('serviceAccounts.createdAt'), <MomentAndAgo key="created" at={created_at} />],
    [t('fields.id'), id],
  ] as const
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4" mb="md">
        {t('users.facts')}
      </Title>
      <SimpleGrid component="dl" cols={{ base: 1, sm: 3 }} m={0}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <Text component="dt" size="sm" c="dimmed">
              {label}
            </Text>
            <Text component="dd" size="sm" m={0} className="numbers">
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Card>
  )
}

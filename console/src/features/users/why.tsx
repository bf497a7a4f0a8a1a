import { Alert, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Explanation, Permission } from '@tenantry/client'
import { useRoleName } from '../../system-roles.ts'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { LazySelect } from '../../components/lazy-select.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { nameOf } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { usePermissions, useRoles } from '../roles/roles.queries.ts'
import { useModuleName } from '../roles/roles.texts.ts'
import type { RoleHolder } from '../roles/roles.views.tsx'

const route = getRouteApi('/shell/users/$userId')

/** The query's key begins with that of the users, so that a change of the user or a role refreshes the answer. */
const useExplanation = (userId: number, permission: string) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['users', tenantId, 'why', userId, permission],
    queryFn: ({ signal }) => api.authz.explain({ user_id: userId, permission }, { signal }),
    staleTime: 0,
  })
}

/** Explains why a user has a permission or not. The URL keeps the question. */
export const Why = ({ user }: { user: RoleHolder }) => {
  const { t } = useTranslation()
  const { why } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: permissions = [] } = usePermissions()
  const nameOfModule = useModuleName()
  const modules = [...Map.groupBy(permissions, ({ module }) => module)]
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4" mb="md">
        {t('users.why')}
      </Title>
      <Stack gap="sm">
        <LazySelect
          label={t('users.permission')}
          placeholder={t('users.choosePermission')}
          nothingFoundMessage={t('roles.noPermission')}
          clearable
          clearButtonProps={{ 'aria-label': t('common.clear') }}
          data={modules.map(([module, of]) => ({
            group: nameOfModule(module),
            // The search covers name and code.
            items: of.map(({ code, name }) => ({ value: code, label: `${name} (${code})` })),
          }))}
          value={why ?? null}
          onChange={(code) =>
            void navigate({
              search: (others) => ({ ...others, why: code ?? undefined }),
              replace: true,
              resetScroll: false,
            })
          }
        />
        {why !== undefined && (
          <Explained user={user} code={why} permission={permissions.find(({ code }) => code === why)} />
        )}
      </Stack>
    </Card>
  )
}

interface ExplainedProps {
  user: RoleHolder
  code: string
  permission: Permission | undefined
}

const Explained = ({ user, code, permission }: ExplainedProps) => {
  const { t } = useTranslation()
  const { data, error, refetch } = useExplanation(user.id, code)
  if (!data) {
    return error ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : <Skeleton height={96} />
  }
  const look = data.allowed
    ? { color: 'teal', icon: <IconCircleCheck />, title: t('users.whyAllowed') }
    : { color: 'gray', icon: <IconCircleX />, title: t('users.whyNot') }
  return (
    <Alert role="status" {...look}>
      <Stack gap="xs">
        <Text size="sm">
          {t(texts[data.reason], { name: nameOf(user), permission: permission?.name ?? code })}
        </Text>
        {!data.allowed && data.roles.length > 0 && <Text size="sm">{t('users.whyThen')}</Text>}
        <RoleLinks roles={data.roles} />
        <NextStep code={code} explanation={data} />
      </Stack>
    </Alert>
  )
}

const texts = {
  granted: 'users.whyGranted',
  not_granted: 'users.whyNotGranted',
  user_disabled: 'users.whyUserDisabled',
  tenant_disabled: 'users.whyTenantDisabled',
} as const

const RoleLinks = ({ roles }: Pick<Explanation, 'roles'>) => {
  const roleName = useRoleName()
  return (
    roles.length > 0 && (
      <Group gap="xs">
        {roles.map(({ id, name }) => (
          <TextLink
            key={id}
            to="/roles/$roleId"
            params={{ roleId: String(id) }}
            size="sm"
            className="breakable"
          >
            {roleName(name)}
          </TextLink>
        ))}
      </Group>
    )
  )
}

/** Explains how the user can get the permission. If the user's roles lack it, names roles that contain it. */
const NextStep = ({ code, explanation }: { code: string; explanation: Explanation }) => {
  const { t } = useTranslation()
  const { data: all } = useRoles()
  if (!all || explanation.roles.length > 0) return null
  const carrying = all.filter(({ permissions }) => permissions.some((one) => one.code === code))
  return (
    <>
      <Text size="sm">{t(carrying.length > 0 ? 'users.whyGive' : 'users.whyNoRole')}</Text>
      <RoleLinks roles={carrying} />
    </>
  )
}

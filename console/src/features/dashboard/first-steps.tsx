import { Anchor, Button, Card, Group, List, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { PermissionCode } from '@tenantry/client'
import { useEffect, useLayoutEffect, type ReactNode } from 'react'
import { CopyText } from '../../components/copy-text.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { StepItem } from '../../components/step-item.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { askedWindow, type AskedWindow } from '../../session/asked-window.ts'
import { useAuthOptions, useMe } from '../../session/me.ts'
import { builtInTenantId } from '../../session/built-in.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useRoles } from '../roles/roles.queries.ts'
import { passwords, usePutSetting } from '../settings/settings.queries.ts'
import { useConnections } from '../sso/sso.queries.ts'
import { useStats } from './stat-cards.tsx'

interface FirstStepsProps {
  /** Called before the page is painted, as soon as the finished steps are known. */
  onKnown: () => void
  /** Called when all steps are done or the user hides them. */
  onDone: () => void
}

export const FirstSteps = ({ onKnown, onDone }: FirstStepsProps) => {
  const { t } = useTranslation()
  const steps = useOnboardingSteps()
  const isKnown = steps.every(({ isDone }) => isDone !== undefined)
  const done = steps.filter(({ isDone }) => isDone).length
  const isOver = isKnown && done === steps.length
  useLayoutEffect(() => {
    if (isKnown) onKnown()
  }, [isKnown, onKnown])
  useEffect(() => {
    if (isOver) onDone()
  }, [isOver, onDone])
  if (!isKnown || isOver) return null
  return (
    <Card withBorder padding="lg" component="section">
      <Group justify="space-between" align="flex-start" mb="sm" gap="sm">
        <div>
          <Title order={2} size="h4">
            {t('dashboard.firstSteps')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('common.progress', { done, total: steps.length })} ·{' '}
            <Anchor href="/docs" target="_blank" size="sm" underline="always">
              {t('places.reference')}
            </Anchor>
          </Text>
        </div>
        <Button size="compact-sm" variant="default" onClick={onDone}>
          {t('dashboard.hideSteps')}
        </Button>
      </Group>
      <List listStyleType="none" className="steps" aria-label={t('dashboard.firstSteps')}>
        {openFirst(steps).map((step) => (
          <FirstStep key={step.title} {...step} />
        ))}
      </List>
    </Card>
  )
}

const openFirst = (steps: OnboardingStep[]): OnboardingStep[] =>
  steps.toSorted((one, other) => Number(one.isDone) - Number(other.isDone))

const FirstStep = (step: OnboardingStep) => {
  const { hint, action, isDone = false } = step
  const { t } = useTranslation()
  return (
    <StepItem isDone={isDone} sign={isDone && t('dashboard.stepDone')} title={<StepTitle {...step} />}>
      {!isDone && hint}
      {!isDone && action}
    </StepItem>
  )
}

const StepTitle = ({ title, to, search = {}, opens, isDone }: OnboardingStep) => {
  if (to && !isDone) {
    return (
      <TextLink to={to} search={search} onClick={() => askedWindow.set(opens)} size="sm" fw={500}>
        {title}
      </TextLink>
    )
  }
  return (
    <Text size="sm" fw={500} c={isDone ? 'dimmed' : 'inherit'}>
      {title}
    </Text>
  )
}

interface OnboardingStep {
  title: string
  hint: string
  /** A button that does the step here. */
  action?: ReactNode
  to?: '/tenants' | '/users' | '/roles' | '/service-accounts' | '/connections' | '/settings'
  search?: { new?: true } | { scope: 'global' }
  /** The window that does the step. */
  opens?: AskedWindow
  /** Undefined while it loads. */
  isDone: boolean | undefined
}

/** Whether a step is done; undefined while it loads. After a failed request the step counts as not done. */
const isDoneBy = <Answer,>(
  { data, isError }: { data: Answer | undefined; isError: boolean },
  isDone: (answer: Answer) => boolean,
): boolean | undefined => {
  if (data !== undefined) return isDone(data)
  return isError ? false : undefined
}

interface Counted {
  queryKey: string
  count: (signal: AbortSignal) => Promise<{ total: number }>
  /** False makes no request, for a caller who may not see the list. */
  isAsked: boolean
}

/** Whether the list has an entry. */
const useHasAny = ({ queryKey, count, isAsked }: Counted): boolean | undefined => {
  const { tenantId } = useScope()
  const asked = useQuery({
    queryKey: [queryKey, tenantId, 'any'],
    queryFn: async ({ signal }) => (await count(signal)).total > 0,
    enabled: isAsked,
  })
  return isDoneBy(asked, (hasAny) => hasAny)
}

interface OfferedStep extends OnboardingStep {
  needs: PermissionCode[]
}

const toInvite: PermissionCode[] = ['user:create', 'user:read']
const toMakeRoles: PermissionCode[] = ['role:create', 'role:read']
const toMakeAccounts: PermissionCode[] = ['service_account:create', 'service_account:read']
const toConnect: PermissionCode[] = ['sso:manage', 'sso:read']
const toMakeTenants: PermissionCode[] = ['tenant:create', 'tenant:read']

const useTenantSteps = (mayDo: (needs: PermissionCode[]) => boolean): OfferedStep[] => {
  const { t } = useTranslation()
  const users = useStats()
  const hasUsers = isDoneBy(users, ({ userCount }) => userCount > 1)
  const { api } = useScope()
  const isInvited = useHasAny({
    queryKey: 'invitations',
    count: (signal) => api.invitations.list({ status: 'pending', page_size: 1 }, { signal }),
    isAsked: mayDo(toInvite),
  })
  const hasAccount = useHasAny({
    queryKey: 'service-accounts',
    count: (signal) => api.serviceAccounts.list({ page_size: 1 }, { signal }),
    isAsked: mayDo(toMakeAccounts),
  })
  const roles = useRoles()
  return [
    {
      needs: toInvite,
      title: t('dashboard.firstUsers'),
      hint: t('dashboard.firstUsersText'),
      to: '/users',
      opens: 'invite',
      // The invitation of the first administrator is no step of theirs.
      isDone: users.data?.userCount === 1 ? isInvited : hasUsers,
    },
    {
      needs: toMakeRoles,
      title: t('dashboard.firstRole'),
      hint: t('dashboard.firstRoleText'),
      to: '/roles',
      opens: 'createRole',
      isDone: isDoneBy(roles, (all) => all.some(({ is_system: isSystem }) => !isSystem)),
    },
    {
      needs: toMakeAccounts,
      title: t('dashboard.firstAccount'),
      hint: t('dashboard.firstAccountText'),
      to: '/service-accounts',
      opens: 'createServiceAccount',
      isDone: hasAccount,
    },
  ]
}

/**
 * The built-in tenant does not offer this step. That tenant belongs to the operator, and each customer connects a
 * provider of its own.
 */
const useConnectionStep = (mayDo: (needs: PermissionCode[]) => boolean): OfferedStep[] => {
  const { t } = useTranslation()
  const isOffered = useScope().tenantId !== builtInTenantId && mayDo(toConnect)
  const connections = useConnections(isOffered)
  const step: OfferedStep = {
    needs: toConnect,
    title: t('dashboard.firstConnection'),
    hint: t('dashboard.firstConnectionText'),
    to: '/connections',
    isDone: isDoneBy(connections, (all) => all.some(({ status }) => status === 'active')),
  }
  return isOffered ? [step] : []
}

/** E-mails that become files reach no user, so the step stays open. */
const useMailStep = (): OfferedStep => {
  const { t } = useTranslation()
  const asked = useAuthOptions()
  const step = asked.data?.mail_in_files
    ? { title: t('dashboard.firstMailFiles'), hint: t('dashboard.firstMailFilesText') }
    : { title: t('dashboard.firstMail'), hint: t('dashboard.firstMailText') }
  return {
    ...step,
    needs: toMakeTenants,
    action: <CopyText text="SMTP_URL" label={t('dashboard.copySetting')} />,
    isDone: isDoneBy(asked, ({ mail, mail_in_files: inFiles }) => mail && !inFiles),
  }
}

/** Strangers join the built-in tenant until the operator decides otherwise. */
const useSignUpStep = (): OfferedStep => {
  const { t } = useTranslation()
  const asked = useAuthOptions()
  const titles = {
    user: t('dashboard.signUpUser'),
    organization: t('dashboard.signUpOrganization'),
    closed: t('dashboard.signUpClosed'),
  }
  return {
    needs: toMakeTenants,
    title: titles[asked.data?.sign_up ?? 'user'],
    hint: t('dashboard.signUpText'),
    action: <CopyText text="TENANTRY_SIGN_UP" label={t('dashboard.copySetting')} />,
    isDone: isDoneBy(asked, ({ sign_up: signUp }) => signUp !== 'user'),
  }
}

/** Sets the proposed rules. */
const ProposePasswords = () => {
  const { t } = useTranslation()
  const notify = useNotify()
  const put = usePutSetting('global', () => notify(t('dashboard.passwordsSet')))
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        display="block"
        mt="xs"
        loading={put.isPending}
        onClick={() => put.mutate({ key: passwords.key, value: passwords.proposed })}
      >
        {t('dashboard.passwordsPropose')}
      </Button>
      {put.error && <ErrorPanel error={put.error} />}
    </>
  )
}

/** The rules of the service as it comes are weak, so that they change nothing for its users. */
const usePasswordStep = (): OfferedStep => {
  const { t } = useTranslation()
  return {
    needs: ['setting:global'],
    title: t('dashboard.firstPasswords'),
    hint: t('dashboard.firstPasswordsText'),
    action: <ProposePasswords />,
    to: '/settings',
    search: { scope: 'global' },
    isDone: isDoneBy(
      useAuthOptions(),
      ({ passwords: { min_length: min, refuse_common: common } }) =>
        common || min >= passwords.proposed.min_length,
    ),
  }
}

/** The name that the service gives the built-in tenant. */
const defaultName = 'Default'

const useInstallationSteps = (): OfferedStep[] => {
  const { t } = useTranslation()
  const stats = useStats()
  const needs = toMakeTenants
  return [
    { needs, title: t('dashboard.firstAdmin'), hint: t('dashboard.firstAdminText'), isDone: true },
    {
      needs,
      title: t('dashboard.firstTenant'),
      hint: t('dashboard.firstTenantText'),
      to: '/tenants',
      search: { new: true },
      isDone: isDoneBy(stats, ({ tenantCount }) => tenantCount > 1),
    },
    {
      needs: ['tenant:update', 'tenant:read'],
      title: t('dashboard.firstName'),
      hint: t('dashboard.firstNameText', { name: defaultName }),
      to: '/tenants',
      isDone: useMe().tenant.name !== defaultName,
    },
    useMailStep(),
    useSignUpStep(),
    usePasswordStep(),
  ]
}

/** The steps of the first week that the caller may take. The built-in tenant adds those of the installation. */
const useOnboardingSteps = (): OnboardingStep[] => {
  const { can } = useMe()
  const { isOwn } = useScope()
  const mayDo = (needs: PermissionCode[]): boolean => needs.every(can)
  const installation = useInstallationSteps()
  const tenant = useTenantSteps(mayDo)
  const connection = useConnectionStep(mayDo)
  return [...(isOwn ? installation : []), ...tenant, ...connection].filter(({ needs }) => mayDo(needs))
}
